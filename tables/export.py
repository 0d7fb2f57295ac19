"""Exports everything that the server stores about one player, for that player only.

It has no secret, and nothing about others.

``KEPT_IN`` and ``NOT_ABOUT_PLAYERS`` name every model of the database. A test fails for a model in neither.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any, Literal, TypedDict

from django.conf import settings
from django.contrib.admin.models import LogEntry
from django.db.models import Q
from django.urls import reverse
from knox.models import AuthToken

from players.models import Handover, Kind, Player
from players.presenters import SessionAnswer, present_session
from players.sessions import sessions_of
from rest.answers import Id
from rest.texts import described
from tables.models import Round, Seat, Status, Table
from webhooks.models import Delivery, Webhook
from webhooks.presenters import DISABLED_REASONS, EVENTS, DeliveryAnswer, present_delivery

KEPT_IN: Mapping[str, str] = {
    "admin.LogEntry": "admin_actions",
    "auth.Group": "player",
    "auth.Permission": "player",
    "knox.AuthToken": "sessions",
    "players.Handover": "handover_expires_at",
    "players.Player": "player",
    "players.TokenUse": "sessions",
    "tables.Event": "tables",
    "tables.Hand": "tables",
    "tables.Move": "tables",
    "tables.Round": "tables",
    "tables.Seat": "tables",
    "tables.Table": "tables",
    "webhooks.Delivery": "webhooks",
    "webhooks.Webhook": "webhooks",
}
"""For each model, the field of the export with its data about the player.

Moves and tiles are at the ``record`` address.
"""
NOT_ABOUT_PLAYERS: Mapping[str, str] = {
    "contenttypes.ContentType": "The names of the models.",
    "runtime.Uptime": "When the server ran.",
    "rest.AnsweredRequest": "Encrypted under a key that only the caller has, for a day; nobody can tell whose it is.",
    "sessions.Session": "Who has entered the admin; ends by itself, and nobody can search it by player.",
}


@described("The stored data about the player.")
class ExportedPlayer(TypedDict):
    id: Annotated[Id, "The player's id."]
    kind: Annotated[str, Kind, "A person or a bot."]
    name: Annotated[str, "The name that others see."]
    username: Annotated[str | None, "An account's username; `null` for a guest."]
    has_password: Annotated[bool, "Whether a password is set. Only its hash is kept."]
    is_active: Annotated[bool, "Whether the player may use the API."]
    is_staff: Annotated[bool, "Whether the player may enter the admin."]
    is_superuser: Annotated[bool, "Whether the player may do everything there."]
    has_webhooks: Annotated[bool, "Whether a webhook of the player is enabled."]
    groups: Annotated[list[str], "The player's groups in the admin."]
    permissions: Annotated[list[str], "The player's other permissions in the admin."]
    created_at: Annotated[datetime, "When the player was created."]
    last_login: Annotated[datetime | None, "When the player last entered the admin; `null` if never."]
    deleted_at: Annotated[datetime | None, "When the player was deleted; `null` if they were not."]


@described("A table where the player sits or which they host.")
class ExportedTable(TypedDict):
    id: Annotated[Id, "The table's id."]
    name: Annotated[str, "The table's name; empty if it has none."]
    status: Annotated[str, Status, "Whether the table is open, the match is running, or how it has ended."]
    is_host: Annotated[bool, "Whether the player is the host."]
    seat: Annotated[int | None, "The player's seat; `null` for a host without one."]
    shown_name: Annotated[
        str | None, "The player's name at this table; empty if it is their usual name, `null` without a seat."
    ]
    has_left: Annotated[bool | None, "Whether the match counts as left; `null` without a seat."]
    total: Annotated[int | None, "The points of the seat; `null` without a seat."]
    stand_in: Annotated[str | None, "The bot that plays for the player; empty for none, `null` without a seat."]
    stand_in_until: Annotated[str | None, "How long it plays for the player; `null` without a seat."]
    timeouts: Annotated[int | None, "Turns in a row that the clock ended; `null` without a seat."]
    client_seed: Annotated[str | None, "The player's seed for the next deal; `null` without a seat."]
    client_seeds: Annotated[list[str], "The player's seeds of the rounds dealt, in order."]
    created_at: Annotated[datetime, "When the table was opened."]
    started_at: Annotated[datetime | None, "When the match began; `null` if it has not."]
    ended_at: Annotated[datetime | None, "When the table ended; `null` if it has not."]
    moves: Annotated[str, "The address of the moves, the player's among them."]
    record: Annotated[str, "The address of the match as one document, once it is over."]


@described("A message to a webhook, with its body.")
class ExportedDelivery(DeliveryAnswer):
    body: Annotated[str, "The message, as it is sent."]


@described("A webhook of the player, without its secret.")
class ExportedWebhook(TypedDict):
    id: Annotated[Id, "The webhook's id."]
    url: Annotated[str, "Where its messages are sent."]
    events: Annotated[list[Annotated[str, Literal[EVENTS]]], "The events that are sent there."]
    disabled_reason: Annotated[
        Annotated[str, Literal[DISABLED_REASONS]] | None, "Why the webhook is disabled; `null` while it is enabled."
    ]
    failures: Annotated[int, "Failed attempts in a row."]
    failing_since: Annotated[datetime | None, "Since when every attempt has failed; `null` if the last one succeeded."]
    created_at: Annotated[datetime, "When it was registered."]
    deliveries: Annotated[list[ExportedDelivery], "Its messages of the last week, oldest first."]


@described("An action of the player in the admin.")
class ExportedAction(TypedDict):
    at: Annotated[datetime, "When the action was taken."]
    action: Annotated[str, "`added`, `changed` or `deleted`."]
    model: Annotated[str | None, "The model of the changed object; `null` if it is gone."]


@described("All stored data about the caller.")
class ExportAnswer(TypedDict):
    exported_at: Annotated[datetime, "When the export was made."]
    player: Annotated[ExportedPlayer, "The data of the player."]
    sessions: Annotated[list[SessionAnswer], "The player's tokens, without the tokens."]
    handover_expires_at: Annotated[
        datetime | None, "When the code for another device expires; `null` if there is none."
    ]
    tables: Annotated[list[ExportedTable], "The player's tables, newest first."]
    webhooks: Annotated[list[ExportedWebhook], "The player's webhooks."]
    admin_actions: Annotated[list[ExportedAction], "The player's actions in the admin, newest first."]


def export(player: Player, current: AuthToken, at: datetime) -> ExportAnswer:
    """Return what is stored about a player at this time, as plain values."""
    handover = Handover.objects.filter(player=player).first()
    return {
        "exported_at": at,
        "player": export_player(player),
        "sessions": [present_session(each) for each in sessions_of(player, current)],
        "handover_expires_at": handover.expires_at if handover else None,
        "tables": export_tables(player),
        "webhooks": export_webhooks(player),
        "admin_actions": admin_actions(player),
    }


def export_player(player: Player) -> ExportedPlayer:
    return {
        "id": str(player.id),
        "kind": player.kind,
        "name": player.name,
        "username": player.username,
        "has_password": player.has_usable_password(),
        "is_active": player.is_active,
        "is_staff": player.is_staff,
        "is_superuser": player.is_superuser,
        "has_webhooks": player.has_webhooks,
        "groups": list(player.groups.order_by("name").values_list("name", flat=True)),
        "permissions": list(player.user_permissions.order_by("codename").values_list("codename", flat=True)),
        "created_at": player.created_at,
        "last_login": player.last_login,
        "deleted_at": player.deleted_at,
    }


def export_tables(player: Player) -> list[ExportedTable]:
    """Return the tables where the player sits or that they host, newest first."""
    seats = {seat.table_id: seat for seat in Seat.objects.filter(player=player)}
    tables = Table.objects.filter(Q(pk__in=seats) | Q(host=player))
    dealt = Round.objects.filter(table__in=seats, dealt_at__isnull=False).order_by("number")
    seeds: dict[Any, list[str]] = {}
    for table, given in dealt.values_list("table", "client_seeds"):
        own = seats[table].number
        seeds.setdefault(table, []).append(given[own] if own < len(given) else "")
    return [export_table(table, player, seats.get(table.pk), seeds.get(table.pk, [])) for table in tables]


def export_table(table: Table, player: Player, seat: Seat | None, seeds: list[str]) -> ExportedTable:
    address = settings.PUBLIC_URL + reverse("table", args=(table.pk,))
    return {
        "id": str(table.pk),
        "name": table.name,
        "status": table.status,
        "is_host": table.host_id == player.pk,
        "seat": seat.number if seat else None,
        "shown_name": seat.shown_name if seat else None,
        "has_left": seat.has_left if seat else None,
        "total": seat.total if seat else None,
        "stand_in": seat.stand_in if seat else None,
        "stand_in_until": seat.stand_in_until if seat else None,
        "timeouts": seat.timeouts if seat else None,
        "client_seed": seat.client_seed if seat else None,
        "client_seeds": seeds,
        "created_at": table.created_at,
        "started_at": table.started_at,
        "ended_at": table.ended_at,
        "moves": f"{address}/moves",
        "record": f"{address}/record",
    }


def export_webhooks(player: Player) -> list[ExportedWebhook]:
    """Return the player's webhooks with every stored message, but without the secrets that sign them."""
    webhooks = list(Webhook.objects.filter(player=player))
    deliveries: dict[Any, list[ExportedDelivery]] = {webhook.pk: [] for webhook in webhooks}
    for delivery in Delivery.objects.filter(webhook__in=webhooks).order_by("created_at", "id"):
        deliveries[delivery.webhook_id].append({**present_delivery(delivery), "body": delivery.body})
    return [
        {
            "id": str(webhook.id),
            "url": webhook.url,
            "events": webhook.events,
            "disabled_reason": webhook.disabled_reason or None,
            "failures": webhook.failures,
            "failing_since": webhook.failing_since,
            "created_at": webhook.created_at,
            "deliveries": deliveries[webhook.pk],
        }
        for webhook in webhooks
    ]


def admin_actions(player: Player) -> list[ExportedAction]:
    """Return what the player has done in the admin, without the names of other players."""
    entries = LogEntry.objects.filter(user=player).select_related("content_type").order_by("-action_time")
    return [
        {
            "at": entry.action_time,
            "action": ACTIONS[entry.action_flag],
            "model": entry.content_type.model if entry.content_type else None,
        }
        for entry in entries
    ]


ACTIONS = {1: "added", 2: "changed", 3: "deleted"}
