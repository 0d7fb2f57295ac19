"""The database models: tables, seats, rounds, hands dealt, and the log of moves.

A foreign key has no index of its own if a unique constraint begins with it.
"""

import secrets
import uuid
from typing import Protocol

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Exists, OuterRef, Q, Subquery
from django.utils import timezone
from django.utils.translation import gettext

from players.models import Player
from players.names import NAME_LENGTH
from rules import games
from tables.columns import OptionsColumn, setting, settings_of

TABLE_NAME_LENGTH = 60
SEED_LENGTH = 128
INVITE_ALPHABET = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
INVITE_LENGTH = 10


def new_invite_code() -> str:
    """Return a random code of ten characters: nearly fifty bits. It has no 0, O, 1 or I, which people confuse.

    At least one character is a digit, so that ``invites.codes_in`` can tell a code from the words of a message.
    """
    while True:
        code = "".join(secrets.choice(INVITE_ALPHABET) for _ in range(INVITE_LENGTH))
        if not code.isalpha():
            return code


class Status(models.TextChoices):
    OPEN = "open"
    PLAYING = "playing"
    FINISHED = "finished"
    CANCELLED = "cancelled"


class Visibility(models.TextChoices):
    PRIVATE = "private"
    PUBLIC = "public"


class Spectators(models.TextChoices):
    OPEN = "open"
    NONE = "none"


class OnTimeout(models.TextChoices):
    AUTO = "auto", "draw and pass, or the first legal play"
    BOT = "bot", "a bot plays the turn; after three in a row, until the player is back"
    FORFEIT = "forfeit", "a bot plays on, and the seat can no longer win"


class StandIn(models.TextChoices):
    """How long a bot plays for the person in the seat."""

    NOBODY = "", "the player plays"
    TURN = "turn", "for this turn"
    RETURN = "return", "until the player is back"
    NEXT_ROUND = "next", "until the player is back, in a later round"
    ROUND = "round", "for this round; the player is back"
    END = "end", "to the end: forfeited"


BOUND = (StandIn.NEXT_ROUND, StandIn.ROUND)
"""A bot plays the round to its end, even if the player comes back.

Used where hints are off: otherwise the bot's turns could serve as hints.
"""
LEFT = (StandIn.RETURN, StandIn.NEXT_ROUND)
"""The player is away, and may come back."""
AWAY = (StandIn.RETURN, *BOUND, StandIn.END)
"""A bot plays until the player is back, or to the end of the match."""
TIMEOUTS_BEFORE_AWAY = 3
"""A player counts as away after this many timed-out turns in a row."""
OUT_OF_HAND = (StandIn.TURN, *BOUND, StandIn.END)
"""Only the bot may move for the seat. With ``RETURN``, in contrast, the player comes back by making a move."""


def until_back(*, hints: bool) -> StandIn:
    """Return how long a bot plays for a player who leaves or is away. ``hints``: whether the table gives hints."""
    return StandIn.RETURN if hints else StandIn.NEXT_ROUND


class HasStandIn(Protocol):
    @property
    def stand_in_until(self) -> str: ...


class MaySitOut:
    """What a seat's ``stand_in_until`` says about its player, for the row and for the seat of a snapshot."""

    __slots__ = ()

    @property
    def is_away(self: HasStandIn) -> bool:
        return self.stand_in_until in AWAY

    @property
    def is_forfeited(self: HasStandIn) -> bool:
        return self.stand_in_until == StandIn.END

    @property
    def may_move_itself(self: HasStandIn) -> bool:
        return self.stand_in_until not in OUT_OF_HAND


class By(models.TextChoices):
    """Who made a move: the player, a bot, the clock, or (``HOST``) the table's ``auto_pass`` setting."""

    PERSON = "person"
    BOT = "bot"
    TIMEOUT = "timeout"
    HOST = "host"


class EndedReason(models.TextChoices):
    """Why a table has ended."""

    PLAYED = "played"
    FORFEITED = "forfeited"
    CANCELLED_BY_HOST = "cancelled_by_host"
    CANCELLED_BY_ADMIN = "cancelled_by_admin"
    HOST_LEFT = "host_left"
    EXPIRED = "expired"
    ABANDONED = "abandoned"


class TableQuerySet(models.QuerySet["Table"]):
    def visible_to(self, player: Player | None) -> "TableQuerySet":
        """Return the tables that this caller may see if they know the address.

        A table without spectators is visible to its members only. While such a table is public and open, everybody may
        see it, because everybody may join.
        """
        may_join = Q(visibility=Visibility.PUBLIC, status=Status.OPEN)
        return self.filter(Q(spectators=Spectators.OPEN) | may_join | self.is_member(player))

    def with_seats(self) -> "TableQuerySet":
        """Add everything that presenting a table needs, in a constant number of queries."""
        following = Table.objects.filter(previous_table=OuterRef("pk")).exclude(status=Status.CANCELLED)
        return self.annotate(next_id=Subquery(following.values("pk")[:1])).prefetch_related("seats__player")

    def listed_for(self, player: Player | None) -> "tuple[TableQuerySet, ...]":
        """Return the tables that a list may show this caller: public ones, those they host, and those they sit at."""
        public = self.visible_to(None).filter(visibility=Visibility.PUBLIC)
        return (public,) if player is None else (public, self.filter(host=player), self.filter(seats__player=player))

    @staticmethod
    def is_member(player: Player | None) -> Q:
        if player is None:
            return Q(pk__in=())
        return Q(host=player) | Q(Exists(Seat.objects.filter(table=OuterRef("pk"), player=player)))


class Table(models.Model):
    """A table and its match. ``turn`` and ``tile_counts`` repeat what follows from the log; ``audit`` compares them."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    name = setting(models.CharField(max_length=TABLE_NAME_LENGTH, blank=True), "The name of the table.")
    host = models.ForeignKey(Player, models.PROTECT, null=True, blank=True, related_name="hosted_tables")
    status = models.CharField(max_length=10, choices=Status, default=Status.OPEN)
    preset = models.CharField(max_length=40)
    options = OptionsColumn(help_text="Every option, resolved when the table was opened.")
    game = models.CharField(max_length=20, default=games.DEFAULT, db_default=games.DEFAULT)
    engine_version = models.PositiveSmallIntegerField(help_text="The version of the game's rules.")
    invite_code = models.CharField(max_length=16, unique=True, default=new_invite_code)
    visibility = setting(
        models.CharField(max_length=8, choices=Visibility, default=Visibility.PRIVATE),
        "Who may take a seat. `private`: only players with the invite. `public`: anybody, and the table is listed.",
    )
    spectators = setting(
        models.CharField(max_length=5, choices=Spectators, default=Spectators.OPEN),
        "Who may watch. `open`: anybody who knows the table's address. `none`: only the seated players and the host, "
        "and while a public table is open, everybody who may take a seat.",
    )
    turn_seconds = setting(
        models.PositiveIntegerField(null=True, blank=True),
        "The time for a turn in seconds, from five seconds to two weeks; `null` means no clock.",
        least=5,
        most=1_209_600,
    )
    on_timeout = setting(
        models.CharField(max_length=8, choices=OnTimeout, default=OnTimeout.AUTO),
        "What happens when the time is over. `auto`: the simplest moves end the turn. `bot`: a bot plays the turn, and "
        "after three such turns in a row it continues until the player is back. `forfeit`: a bot plays to the end of "
        "the match, and the seat cannot win.",
    )
    on_leave = setting(
        models.CharField(
            max_length=16, default="easy", help_text="The level of the bot that plays for an absent player."
        ),
        "The level of the bot that plays for a player who leaves, is away or was too slow.",
    )
    bot_delay_ms = setting(
        models.PositiveIntegerField(default=0),
        "How long a bot waits before it moves, in milliseconds, so that people can follow.",
        most=5000,
    )
    auto_pass = setting(
        models.BooleanField(default=False), "Whether the table passes for a player who can do nothing else."
    )
    stall_minutes = setting(
        models.PositiveIntegerField(
            null=True,
            blank=True,
            default=15,
            db_default=15,
            help_text="Minutes for which the others wait for an absent player, without a clock, or for an absent host.",
        ),
        "Minutes after which anybody who sits at the table may put a bot in place of an absent player, in a match "
        "without a clock. After the same time, the next person replaces an absent host. From 3 to 20160, which is two "
        "weeks; `null` means never.",
        least=3,
        most=20_160,
    )
    hints = setting(
        models.BooleanField(default=True, help_text="Whether seats may ask which move a bot would make."),
        "Whether players may ask which move a bot would make for them.",
    )
    version = models.PositiveIntegerField(default=1, help_text="Changes with every visible change.")
    next_number = models.PositiveIntegerField(default=1, help_text="The next number of the log.")
    rounds_played = models.PositiveSmallIntegerField(default=0)
    turn = models.PositiveSmallIntegerField(null=True, blank=True, help_text="The seat to move.")
    tile_counts = ArrayField(models.PositiveSmallIntegerField(), default=list, blank=True)
    turn_on_timeout = models.CharField(
        max_length=8,
        choices=OnTimeout,
        null=True,
        blank=True,
        help_text="The on_timeout of the current turn, if the clock has changed since the turn began.",
    )
    clock_proposal = models.JSONField(null=True, blank=True, help_text="Another clock, and the seats that agree.")
    clock_lapses_at = models.DateTimeField(null=True, blank=True, help_text="When the proposed clock expires.")
    deadline = models.DateTimeField(null=True, blank=True, help_text="When the seat's time is over.")
    deadline_set_at = models.DateTimeField(
        null=True, blank=True, help_text="When the deadline was set: it does not count outages that ended later."
    )
    due_at = models.DateTimeField(null=True, blank=True, help_text="From when the sweep may move this table on.")
    looks = models.PositiveSmallIntegerField(
        default=0, help_text="How often the sweep has found this table due since its last move."
    )
    winners = ArrayField(models.PositiveSmallIntegerField(), null=True, blank=True)
    ended_reason = models.CharField(max_length=40, blank=True)
    previous_table = models.ForeignKey(
        "self",
        models.PROTECT,
        null=True,
        blank=True,
        related_name="next_tables",
        help_text="The table before this rematch.",
    )
    removed = ArrayField(
        models.UUIDField(),
        null=True,
        blank=True,
        help_text="Players whom the host has removed, and who may not take a seat here again.",
    )
    created_at = models.DateTimeField(auto_now_add=True)
    changed_at = models.DateTimeField(
        default=timezone.now, help_text="When anything other than a move last changed this table."
    )
    started_at = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)
    imported_at = models.DateTimeField(null=True, blank=True, help_text="When the table was imported from a record.")
    record_headers = models.JSONField(
        default=list, blank=True, help_text="The headers of the imported record: names and values, in order."
    )

    objects = TableQuerySet.as_manager()

    class Meta:
        ordering = ("-created_at", "-id")
        indexes = (
            models.Index(fields=("due_at",), condition=Q(due_at__isnull=False), name="table_due"),
            models.Index(
                fields=("clock_lapses_at",), condition=Q(clock_lapses_at__isnull=False), name="table_clock_lapses"
            ),
            models.Index(fields=("visibility", "status", "-created_at", "-id"), name="table_lobby"),
            models.Index(fields=("-created_at", "-id"), name="table_newest"),
            models.Index(
                fields=("-created_at", "-id"), condition=Q(visibility=Visibility.PUBLIC), name="table_public_newest"
            ),
            models.Index(fields=("changed_at",), condition=Q(status__in=("open", "playing")), name="table_idle"),
        )
        constraints = (
            models.UniqueConstraint(
                fields=("previous_table",), condition=~Q(status=Status.CANCELLED), name="one_living_rematch_of_a_table"
            ),
            models.CheckConstraint(
                condition=Q(status=Status.PLAYING, turn__isnull=False) | ~Q(status=Status.PLAYING) & Q(turn=None),
                name="somebody_is_to_move_while_playing",
            ),
        )

    def __str__(self) -> str:
        return self.name or gettext("Table {id}").format(id=str(self.id)[:8])

    @property
    def host_name(self) -> str | None:
        """The host's name at this table, or the host's plain name if they do not sit there; ``None`` without a host."""
        own = (seat.name for seat in self.seats.all() if seat.player_id and seat.player_id == self.host_id)
        return next(own, None if self.host is None else self.host.name)


SETTINGS = settings_of(Table)
"""The settings of a table. The fields of requests, events, rematches and the admin are made from these.

CONTRIBUTING.md lists what else a new one needs.
"""


class Seat(MaySitOut, models.Model):
    """A place at a table.

    ``stand_in`` is the level of the bot that plays for an absent player, ``stand_in_until`` how long.
    """

    table = models.ForeignKey(Table, models.CASCADE, related_name="seats", db_index=False)
    number = models.PositiveSmallIntegerField()
    player = models.ForeignKey(Player, models.PROTECT, null=True, blank=True, related_name="seats")
    total = models.IntegerField(default=0, help_text="Points of the rounds so far.")
    stand_in = models.CharField(max_length=16, blank=True)
    stand_in_until = models.CharField(max_length=6, choices=StandIn, default=StandIn.NOBODY, blank=True)
    timeouts = models.PositiveSmallIntegerField(default=0, help_text="Turns in a row that the clock ended.")
    client_seed = models.CharField(max_length=SEED_LENGTH, blank=True)
    shown_name = models.CharField(
        max_length=NAME_LENGTH, blank=True, default="", db_default="", help_text="The player's name at this table."
    )

    has_left = models.BooleanField(
        default=False,
        db_default=False,
        help_text="Whether others made over a third of the turns of a finished match, or this host cancelled it.",
    )

    class Meta:
        ordering = ("table", "number")
        constraints = (
            models.UniqueConstraint(fields=("table", "number"), name="one_seat_of_a_number"),
            models.UniqueConstraint(fields=("table", "player"), name="one_seat_of_a_player"),
        )

    def __str__(self) -> str:
        return f"Seat {self.number}"

    @property
    def name(self) -> str | None:
        """The player's name at this table; ``None`` for a free seat.

        A seat that older code filled may have no ``shown_name`` yet.
        """
        return None if self.player is None else self.shown_name or self.player.name

    def give_to(self, player: Player | None) -> None:
        """Set the seat's player and clear the shown name. ``names.settle`` sets it once all players are known."""
        self.player, self.shown_name = player, ""


class Round(models.Model):
    """One deal and its play. The row exists from the commitment on; the deal sets ``order`` and ``dealt_at``.

    Until the round ends, its secret and its order stay hidden from everybody, and the admin shows none of its hands.
    """

    table = models.ForeignKey(Table, models.PROTECT, related_name="rounds", db_index=False)
    number = models.PositiveSmallIntegerField(help_text="From 1.")
    secret = models.BinaryField(help_text="Empty if the imported record has no secret.")
    commitment = models.CharField(max_length=64, blank=True, help_text="SHA-256 of the secret.")
    facts = models.JSONField(
        default=dict, db_default={}, help_text="What it was dealt with besides the order, as its game decided it."
    )
    client_seeds = ArrayField(models.CharField(max_length=SEED_LENGTH, blank=True), default=list)
    order = models.TextField(blank=True, help_text="The whole set, shuffled.")
    dealt_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)
    result = models.JSONField(null=True)

    class Meta:
        ordering = ("table", "number")
        constraints = (models.UniqueConstraint(fields=("table", "number"), name="one_round_of_a_number"),)

    def __str__(self) -> str:
        return f"Round {self.number}"


class Hand(models.Model):
    """The tiles that a seat was dealt, before anything else was drawn, and the points of the hand at the end."""

    round = models.ForeignKey(Round, models.PROTECT, related_name="hands", db_index=False)
    seat = models.ForeignKey(Seat, models.PROTECT, related_name="hands")
    tiles = models.TextField(help_text="As dealt.")
    points = models.IntegerField(null=True)

    class Meta:
        ordering = ("round", "seat")
        constraints = (models.UniqueConstraint(fields=("round", "seat"), name="one_hand_a_seat_and_round"),)

    def __str__(self) -> str:
        return f"Hand of seat {self.seat_id}"


class Move(models.Model):
    """An entry of the log. It is written once: a database trigger refuses to change or delete it."""

    table = models.ForeignKey(Table, models.PROTECT, related_name="moves", db_index=False)
    round = models.ForeignKey(Round, models.PROTECT, related_name="moves", db_index=False)
    number = models.PositiveIntegerField(help_text="Its place in the table's log, from 1.")
    seat = models.PositiveSmallIntegerField()
    text = models.CharField(max_length=16)
    by = models.CharField(max_length=8, choices=By)
    at = models.DateTimeField()

    class Meta:
        ordering = ("table", "number")
        constraints = (
            models.UniqueConstraint(fields=("table", "number"), name="one_move_of_a_number"),
            models.UniqueConstraint(fields=("round", "number"), name="one_move_of_a_number_in_a_round"),
        )

    def __str__(self) -> str:
        return f"{self.number}. {self.text}"


class EventKind(models.TextChoices):
    MOVE = "move"
    ROUND = "round"
    SEAT = "seat"
    TABLE = "table"


class Event(models.Model):
    """What one version of a table changed: public facts, or the number of the move or round that has them."""

    table = models.ForeignKey(Table, models.CASCADE, related_name="events", db_index=False)
    version = models.PositiveIntegerField()
    kind = models.CharField(max_length=5, choices=EventKind)
    data = models.JSONField()

    class Meta:
        ordering = ("table", "version")
        constraints = (models.UniqueConstraint(fields=("table", "version"), name="one_event_of_a_version"),)

    def __str__(self) -> str:
        return f"{self.kind} at version {self.version}"
