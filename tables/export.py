"""Exports everything that the server stores about one player, for that player only.

It has no secret, and nothing about others.

``KEPT_IN`` and ``NOT_ABOUT_PLAYERS`` name every model of the database. A test fails for a model in neither.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.conf import settings
from django.contrib.admin.models import LogEntry
from django.db.models import Q
from django.urls import reverse
from knox.models import AuthToken

from players.models import Handover, Player
from players.sessions import sessions_of
from tables.models import Round, Seat, Table
from webhooks.models import Delivery, Webhook

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


def export(player: Player, current: AuthToken, at: datetime) -> dict[str, Any]:
    """Return what is stored about a player at this time, as plain values."""
    handover = Handover.objects.filter(player=player).first()
    return {
        "exported_at": at,
        "player": player_kept(player),
        "sessions": sessions_of(player, current),
        "handover_expires_at": handover and handover.expires_at,
        "tables": tables_kept(player),
        "webhooks": webhooks_kept(player),
        "admin_actions": admin_actions(player),
    }


def player_kept(player: Player) -> dict[str, Any]:
    names = ("id", "kind", "name", "username", "is_active", "is_staff", "is_superuser", "has_webhooks")
    times = ("created_at", "last_login", "deleted_at")
    return {name: getattr(player, name) for name in (*names, *times)} | {
        "has_password": player.has_usable_password(),
        "groups": list(player.groups.order_by("name").values_list("name", flat=True)),
        "permissions": list(player.user_permissions.order_by("codename").values_list("codename", flat=True)),
    }


def tables_kept(player: Player) -> list[dict[str, Any]]:
    """Return the tables where the player sits or that they host, newest first."""
    seats = {seat.table_id: seat for seat in Seat.objects.filter(player=player)}
    tables = Table.objects.filter(Q(pk__in=seats) | Q(host=player))
    dealt = Round.objects.filter(table__in=seats, dealt_at__isnull=False).order_by("number")
    seeds: dict[Any, list[str]] = {}
    for table, given in dealt.values_list("table", "client_seeds"):
        own = seats[table].number
        seeds.setdefault(table, []).append(given[own] if own < len(given) else "")
    return [table_kept(table, player, seats.get(table.pk), seeds.get(table.pk, [])) for table in tables]


def table_kept(table: Table, player: Player, seat: Seat | None, seeds: list[str]) -> dict[str, Any]:
    address = settings.PUBLIC_URL + reverse("table", args=(table.pk,))
    return {
        "id": table.pk,
        "name": table.name,
        "status": table.status,
        "is_host": table.host_id == player.pk,
        "seat": seat and seat.number,
        "shown_name": seat and seat.shown_name,
        "has_left": seat and seat.has_left,
        "total": seat and seat.total,
        "stand_in": seat and seat.stand_in,
        "stand_in_until": seat and seat.stand_in_until,
        "timeouts": seat and seat.timeouts,
        "client_seed": seat and seat.client_seed,
        "client_seeds": seeds,
        "created_at": table.created_at,
        "started_at": table.started_at,
        "ended_at": table.ended_at,
        "moves": f"{address}/moves",
        "record": f"{address}/record",
    }


def webhooks_kept(player: Player) -> list[dict[str, Any]]:
    """Return the player's webhooks with every stored message, but without the secrets that sign them."""
    webhooks = list(Webhook.objects.filter(player=player))
    deliveries: dict[Any, list[Delivery]] = {webhook.pk: [] for webhook in webhooks}
    for delivery in Delivery.objects.filter(webhook__in=webhooks).order_by("created_at", "id"):
        deliveries[delivery.webhook_id].append(delivery)
    names = ("id", "url", "events", "created_at", "failures", "failing_since")
    return [
        {name: getattr(webhook, name) for name in names}
        | {"disabled_reason": webhook.disabled_reason or None, "deliveries": deliveries[webhook.pk]}
        for webhook in webhooks
    ]


def admin_actions(player: Player) -> list[dict[str, Any]]:
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
