"""Serializers of the requests about tables."""

from collections.abc import Callable, Mapping
from typing import Any

from django.utils.translation import gettext
from rest_framework import serializers

from players.api.serializers import NameField
from rest.bodies import StrictFields
from rest.queries import QueryFields
from rest.texts import described
from rules.bots import BOTS
from rules.errors import BadOption, NotForSeats, UnknownPreset
from rules.option_kinds import FEWEST_SEATS, MOST_SEATS
from rules.options import must_suit, read_each
from rules.presets import PRESETS, named, rules_of
from tables.invites import LONGEST_INVITE
from tables.models import SEED_LENGTH, TABLE_NAME_LENGTH, OnTimeout, Spectators, Status, Table, Visibility
from tables.telling import told

BAD_OPTION = "bad_option"
LEVELS = [(level, level) for level in sorted(BOTS)]


class LevelField(serializers.ChoiceField):
    """A bot's level."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(choices=LEVELS, **kwargs)


class SeatField(serializers.IntegerField):
    """A seat's number."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(min_value=0, max_value=MOST_SEATS - 1, **kwargs)


@described("A bot's level, and the seat that it takes.")
class BotSeatSerializer(StrictFields):
    seat = SeatField()
    level = LevelField()


class PresetField(serializers.CharField):
    """A preset by its name."""

    def to_internal_value(self, data: Any) -> str:
        name: str = super().to_internal_value(data)
        try:
            return named(name).name
        except UnknownPreset as unknown:
            raise serializers.ValidationError(told(unknown.detail), code=BAD_OPTION) from unknown


class OptionsField(serializers.DictField):
    """House rules by name. Each value is checked here; ``RULES_FIT`` checks them with the preset and the seats."""

    def to_internal_value(self, data: Any) -> dict[str, Any]:
        options: dict[str, Any] = super().to_internal_value(data)
        try:
            read_each(options)
        except BadOption as wrong:
            by_name = {each.option: told(each.detail) for each in (wrong, *wrong.others)}
            raise serializers.ValidationError(by_name, code=BAD_OPTION) from wrong
        return options


def wrong_rules(refused: BadOption) -> serializers.ValidationError:
    """Return the validation error of rules that no table can have. It names the wrong field."""
    match refused:
        case UnknownPreset():
            field = "preset"
        case NotForSeats():
            field = "seats"
        case _:
            field = f"options.{refused.option}"
    return serializers.ValidationError({field: told(refused.detail)}, code=BAD_OPTION)


class RulesFields(StrictFields):
    """The rules of a table, and its number of seats."""

    preset = PresetField(
        max_length=40,
        required=False,
        help_text=f"The rule set that is played; `GET rules/presets` tells what each is. One of {', '.join(PRESETS)}.",
    )
    options = OptionsField(
        required=False,
        help_text="House rules: the options that are to be other than in the preset, by name. `GET rules/options` "
        "tells what there is.",
    )
    seats = serializers.IntegerField(
        min_value=FEWEST_SEATS,
        max_value=MOST_SEATS,
        required=False,
        help_text="How many play, bots included. Most rule sets are for fewer than 12; `GET rules/presets` has the "
        "numbers.",
    )


class TurnSecondsField(serializers.IntegerField):
    """How long a turn may take."""

    def __init__(self, **kwargs: Any) -> None:
        meaning = "How long a turn may take, from five seconds to two weeks; `null` is no clock."
        super().__init__(min_value=5, max_value=1_209_600, allow_null=True, help_text=meaning, **kwargs)


class OnTimeoutField(serializers.ChoiceField):
    """What happens when the time is over."""

    def __init__(self, **kwargs: Any) -> None:
        meaning = (
            "What happens when the time is over: `auto`, the plainest moves end the turn; `bot`, a bot plays it, and "
            "after three such turns in a row it goes on until the player is back; `forfeit`, a bot plays to the end, "
            "and the seat cannot win."
        )
        super().__init__(OnTimeout.choices, help_text=meaning, **kwargs)


class TableFields(RulesFields):
    """The fields that a table is opened with, and that its host may change while it is open."""

    name = NameField(
        max_length=TABLE_NAME_LENGTH, allow_blank=True, required=False, help_text="What the table is called."
    )
    visibility = serializers.ChoiceField(
        Visibility.choices,
        required=False,
        help_text="Who may sit down: `private`, whoever has the invite; `public`, anybody, and the table is listed.",
    )
    spectators = serializers.ChoiceField(
        Spectators.choices,
        required=False,
        help_text="Who may look on: `open`, whoever knows the table's address; `none`, only those who sit there and "
        "the host, and while a public table is open whoever might sit down.",
    )
    turn_seconds = TurnSecondsField(required=False)
    on_timeout = OnTimeoutField(required=False)
    on_leave = LevelField(
        required=False, help_text="The level of the bot that plays for whoever leaves, is away or was too slow."
    )
    bot_delay_ms = serializers.IntegerField(
        min_value=0,
        max_value=5000,
        required=False,
        help_text="How long a bot waits before it moves, in milliseconds, so that people can follow.",
    )
    auto_pass = serializers.BooleanField(
        required=False, help_text="Whether the table passes for a player who can do nothing else."
    )
    stall_minutes = serializers.IntegerField(
        min_value=3,
        max_value=20_160,
        allow_null=True,
        required=False,
        help_text="How many minutes an absent player may hold up a match without a clock before anybody who sits there "
        "may have a bot play for them, and how many a host may be absent before the next person becomes host: from 3 "
        "to 20160, which is two weeks; `null` is any number.",
    )
    hints = serializers.BooleanField(
        required=False, help_text="Whether players may ask what a bot would do in their place."
    )


DEFAULTS: dict[str, Any] = {
    "preset": "classic",
    "options": dict,
    "seats": 4,
    "host_seat": 0,
    "bots": list,
    **{name: getattr(Table(), name) for name in TableFields().get_fields() if name not in RulesFields().get_fields()},
}
"""The defaults of the fields when a table is opened. Most are the defaults of the columns."""


class WithDefaults(StrictFields):
    """Fields left out take their defaults."""

    def get_fields(self) -> dict[str, Any]:
        fields: dict[str, Any] = super().get_fields()
        for name, field in fields.items():
            field.default = DEFAULTS[name]
        return fields


def check_rules(preset: str, options: dict[str, Any], seats: int) -> None:
    try:
        must_suit(rules_of(preset, options), seats)
    except BadOption as refused:
        raise wrong_rules(refused) from refused


def check_chairs(seats: int, host_seat: int | None, bots: list[dict[str, Any]]) -> None:
    taken = [bot["seat"] for bot in bots]
    out_of_range = gettext("Seats are numbered from 0 to {last}.").format(last=seats - 1)
    if host_seat is not None and host_seat >= seats:
        raise serializers.ValidationError({"host_seat": out_of_range})
    if any(seat >= seats for seat in taken):
        raise serializers.ValidationError({"bots": out_of_range})
    if len({host_seat, *taken}) != len([host_seat, *taken]):
        raise serializers.ValidationError({"bots": gettext("A seat occurs twice, or is the host's seat.")})


RULES_FIT: Mapping[tuple[str, ...], Callable[..., None]] = {("preset", "options", "seats"): check_rules}


@described("Rules that a table might have.")
class CheckSerializer(WithDefaults, RulesFields):
    checks = RULES_FIT


@described("A table to be opened; what is left out is as its default says.")
class OpenTableSerializer(WithDefaults, TableFields):
    host_seat = SeatField(
        allow_null=True, required=False, help_text="Where the host sits; `null`: the host does not play."
    )
    bots = BotSeatSerializer(many=True, required=False, help_text="Seats for bots, each with its level.")
    checks = {**RULES_FIT, ("seats", "host_seat", "bots"): check_chairs}


@described("What is to be other at an open table; what is left out stays as it is.")
class ChangeTableSerializer(TableFields):
    preset = PresetField(
        max_length=40, required=False, help_text="Another rule set; house rules that are not sent with it are dropped."
    )
    options = OptionsField(required=False, help_text="House rules to be set; the table's others stay.")


class InviteField(serializers.CharField):
    def __init__(self, **kwargs: Any) -> None:
        told = "Its code, in either case, or the link as it was sent."
        super().__init__(max_length=LONGEST_INVITE, help_text=told, **kwargs)


@described("An invite, and the seat that is wanted, if it matters.")
class JoinSerializer(StrictFields):
    invite = InviteField()
    seat = SeatField(required=False)


@described("The seat that is wanted, if it matters, and the invite's code that a private table asks for.")
class TakeSeatSerializer(StrictFields):
    seat = SeatField(required=False)
    invite = InviteField(required=False)


@described("How well a bot plays.")
class BotLevelSerializer(StrictFields):
    level = LevelField(
        required=False,
        help_text="Of a bot in an empty seat, or in place of another. The bot that plays for a person is the table's "
        "`on_leave`; then no level may be sent.",
    )


@described("A clock for a running match.")
class ClockSerializer(StrictFields):
    turn_seconds = TurnSecondsField()
    on_timeout = OnTimeoutField()


class LeaveSeatFilterSerializer(QueryFields):
    player = serializers.UUIDField(
        required=False, help_text="Who is to leave the seat: if somebody else sits there by now, nothing changes."
    )


class TableFilterSerializer(QueryFields):
    status = serializers.ChoiceField(Status.choices, required=False)
    visibility = serializers.ChoiceField(Visibility.choices, required=False)


class PageSerializer(QueryFields):
    """Which page of a list. DRF's pagination reads the same parameters."""

    cursor = serializers.CharField(
        required=False, allow_blank=True, help_text="From `next` or `previous` of another page."
    )
    limit = serializers.IntegerField(required=False, min_value=1, max_value=100, help_text="Entries a page.")


@described("A move, and the place in the log that its sender believes it fills.")
class MoveInSerializer(StrictFields):
    move = serializers.CharField(
        allow_blank=True, help_text="12-7>0, 12-7>mexican, draw, pass, end, announce or call 2."
    )
    number = serializers.IntegerField(min_value=1, max_value=2**31 - 1)
    keep_marker = serializers.BooleanField(
        default=False,
        help_text="With a play: leave the marker on the own train, where the table's rules let a seat choose.",
    )


LONGEST_WAIT = 60
LONGEST_STREAM_ID = 8000


class SaidField(serializers.BooleanField):
    """Whether the answer includes sentences."""

    def __init__(self, **kwargs: Any) -> None:
        wanted = "Whether each move comes with `said`: what it did, as a sentence in the language of the request."
        super().__init__(default=False, help_text=wanted, **kwargs)


class SaidFilterSerializer(QueryFields):
    said = SaidField()


class WaitSerializer(QueryFields):
    wait = serializers.IntegerField(
        min_value=0, max_value=LONGEST_WAIT, default=0, help_text="Seconds to hold an answer that would be 304."
    )


class PositionFilterSerializer(SaidFilterSerializer, WaitSerializer):
    """The query parameters of a position."""


class MyEventsFilterSerializer(QueryFields):
    last_event_id = serializers.CharField(
        required=False,
        max_length=LONGEST_STREAM_ID,
        help_text="The `id` of the last event that arrived. The header takes precedence.",
    )


class EventsFilterSerializer(QueryFields):
    last_event_id = serializers.IntegerField(
        min_value=0,
        max_value=2**31 - 1,
        required=False,
        help_text="The `id` of the last event that arrived, or the `version` of a position. The header goes first.",
    )
    said = SaidField()


class HintFilterSerializer(QueryFields):
    level = LevelField(required=False, help_text="The bot that is asked; `hard` unless said otherwise.")


class PictureFilterSerializer(QueryFields):
    shape = serializers.ChoiceField(
        ["tall", "wide"], default="tall", help_text="`tall` for a telephone, `wide` for a desk."
    )


class MovesFilterSerializer(QueryFields):
    after = serializers.IntegerField(min_value=0, max_value=2**31 - 1, default=0)
    limit = serializers.IntegerField(min_value=1, max_value=500, default=100)
    said = SaidField()


@described("What a seat adds to the next deal.")
class ClientSeedSerializer(StrictFields):
    seed = serializers.CharField(max_length=SEED_LENGTH, allow_blank=True, trim_whitespace=False)
