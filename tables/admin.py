"""Tables in the admin, for the people who run the server. Hidden tiles appear only after their round has ended."""

from collections.abc import Sequence
from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from players.models import Kind
from rest.admin import ChangedFieldsOnly, ReadOnly
from rest.admin_actions import ConfirmedActions
from rules import games
from tables.lobby import ending, opening
from tables.models import SETTINGS, Hand, Move, Round, Seat, Status, Table
from tables.presenters.games import presenter_of
from tables.presenters.positions import present_position
from tables.repository import load, rules_of

MOVES_SHOWN = 200
CHANGEABLE = {"name", "visibility", "spectators"}
"""The fields that cannot disturb a match."""


class SeatInline(admin.TabularInline[Seat, Table]):
    model = Seat
    fields = readonly_fields = ("number", "player", "total", "stand_in", "stand_in_until", "timeouts", "has_left")
    extra = 0
    can_delete = False
    show_change_link = True

    def get_queryset(self, request: HttpRequest) -> QuerySet[Seat]:
        return super().get_queryset(request).select_related("player")

    def has_add_permission(self, request: HttpRequest, obj: Table | None = None) -> bool:
        return False


class OfPreset(admin.SimpleListFilter):
    """Filters by the presets that exist. Django's own filter would scan all tables for the presets in use."""

    title = parameter_name = "preset"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [(preset, preset) for preset in games.presets()]

    def queryset(self, request: HttpRequest, queryset: "QuerySet[Table]") -> "QuerySet[Table]":
        return queryset.filter(preset=self.value()) if self.value() in games.presets() else queryset


@admin.register(Table)
class TableAdmin(ConfirmedActions, ChangedFieldsOnly):
    list_display = (
        "__str__",
        "status",
        "host",
        "seats_taken",
        "preset",
        "rounds_played",
        "turn",
        "deadline",
        "created_at",
    )
    list_filter = ("status", "visibility", OfPreset, "on_timeout", "created_at")
    list_select_related = ("host",)
    search_fields = ("id", "name", "invite_code", "host__name", "seats__player__name")
    ordering = ("-created_at", "-id")
    inlines = (SeatInline,)
    actions = ("cancel_tables",)
    fieldsets = (
        (None, {"fields": ("name", "status", "host", "invite_code", "visibility", "spectators", "position", "log")}),
        ("Settings", {"fields": [name for name in SETTINGS if name not in CHANGEABLE]}),
        ("Rules", {"fields": ("game", "engine_version", "preset", "options"), "classes": ("collapse",)}),
        (
            "Match",
            {"fields": ("rounds_played", "turn", "winners", "ended_reason", "previous_table", "deadline", "version")},
        ),
        ("Dates", {"fields": ("created_at", "started_at", "ended_at", "imported_at")}),
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[Table]:
        tables: QuerySet[Table] = super().get_queryset(request)
        return tables.prefetch_related("seats")  # for the page only; a count in the query covers all tables

    def get_readonly_fields(self, request: HttpRequest, obj: Table | None = None) -> list[str]:
        """All fields except those that cannot disturb a match."""
        fields = [str(name) for _, group in self.fieldsets for name in group["fields"]]
        return [name for name in fields if name not in CHANGEABLE]

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Tables are opened by players, never in the admin."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Table | None = None) -> bool:
        """Tables are cancelled, never deleted. Their log stays."""
        return False

    def save_model(self, request: HttpRequest, obj: Table, form: Any, change: Any) -> None:
        """Write only the changed fields, so that a match in play is not set back to older values."""
        opening.change_as_admin(obj.pk, {name: form.cleaned_data[name] for name in form.changed_data})

    @admin.display(description="Seats")
    def seats_taken(self, table: Table) -> str:
        seats = table.seats.all()
        return f"{sum(seat.player_id is not None for seat in seats)}/{len(seats)}"

    @admin.display(description="Position")
    def position(self, table: Table) -> SafeString:
        """The table as a spectator sees it."""
        snapshot = load(table.pk)
        assert snapshot is not None
        position = present_position(snapshot, player=None, now=table.created_at)
        return render_to_string("admin/tables/position.html", {"position": position})

    @admin.display(description="Log")
    def log(self, table: Table) -> SafeString:
        """The last moves, newest first, in words."""
        names = {seat.number: seat.name for seat in table.seats.select_related("player") if seat.player}
        latest = list(table.moves.select_related("round").order_by("-number")[:MOVES_SHOWN])
        rules, presenter = rules_of(table), presenter_of(table.game)
        entries = [
            {"move": move, "who": names.get(move.seat, "nobody"), "what": presenter.move_phrase(rules, move.text)}
            for move in latest
        ]
        is_cut = bool(latest) and latest[-1].number > 1
        context = {"entries": entries, "most": MOVES_SHOWN, "table": table, "is_cut": is_cut}
        return render_to_string("admin/tables/log.html", context)

    @admin.action(description="Cancel the selected tables…", permissions=["change"])
    def cancel_tables(self, request: HttpRequest, tables: QuerySet[Table]) -> HttpResponse | None:
        chosen = list(tables.filter(status__in=(Status.OPEN, Status.PLAYING)).order_by("id"))
        return self.confirm(
            request,
            chosen,
            lambda table: ending.cancel_as_admin(table.pk),
            question="These tables will end without a winner. Nobody can open them again. Cancel them?",
            done="Cancelled by an admin",
            consequences=lambda: how_many(chosen),
        )


def how_many(tables: Sequence[Table]) -> list[str]:
    running = sum(table.status == Status.PLAYING for table in tables)
    persons = Seat.objects.filter(table__in=tables, player__kind=Kind.PERSON).count()
    return [f"Running matches: {running}. Open tables: {len(tables) - running}.", f"Persons who sit there: {persons}."]


@admin.register(Seat)
class SeatAdmin(ReadOnly):
    list_display = ("table", "number", "player", "total", "stand_in", "stand_in_until", "timeouts", "has_left")
    list_filter = ("stand_in_until", "table__status", "player__kind")
    list_select_related = ("table", "player")
    search_fields = ("table__id", "table__name", "player__name")
    fields = list_display
    ordering = ("-id",)


@admin.register(Round)
class RoundAdmin(ReadOnly):
    """The secret, the order and the result are shown only after the round has ended."""

    list_display = ("table", "number", "facts", "how_it_ended", "dealt_at", "ended_at")
    list_filter = (("ended_at", admin.EmptyFieldListFilter), "dealt_at")
    list_select_related = ("table",)
    search_fields = ("table__id", "table__name", "commitment")
    ordering = ("-id",)

    def get_fields(self, request: HttpRequest, obj: Round | None = None) -> tuple[str, ...]:
        public = ("table", "number", "facts", "commitment", "dealt_at")
        is_over = obj is not None and obj.ended_at is not None
        return (*public, "ended_at", "result", "client_seeds", "order", "opened_secret") if is_over else public

    @admin.display(description="Ended", empty_value="-")
    def how_it_ended(self, played: Round) -> str | None:
        return played.result["ended"] if played.result else None

    @admin.display(description="Secret", empty_value="none: from a record without secrets")
    def opened_secret(self, played: Round) -> str | None:
        return bytes(played.secret).hex() or None


@admin.register(Hand)
class HandAdmin(ReadOnly):
    """Hands of rounds that have ended."""

    list_display = ("round", "table", "seat", "points", "tiles")
    list_filter = ("seat__player__kind", "round__ended_at")
    list_select_related = ("round__table", "seat__player")
    search_fields = ("round__table__id", "round__table__name", "seat__player__name")
    fields = list_display
    ordering = ("-id",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Hand]:
        return super().get_queryset(request).filter(round__ended_at__isnull=False)

    @admin.display(ordering="round__table__name")
    def table(self, hand: Hand) -> Table:
        return hand.round.table


@admin.register(Move)
class MoveAdmin(ReadOnly):
    list_display = ("table", "number", "round", "seat", "text", "by", "at")
    list_filter = ("by", "at")
    list_select_related = ("table", "round")
    search_fields = ("table__id", "table__name", "text")
    fields = list_display
    ordering = ("-id",)
