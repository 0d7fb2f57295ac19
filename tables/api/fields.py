"""Serializers of the requests about tables."""

from collections.abc import Callable, Mapping
from typing import Any

from django.utils.translation import gettext
from rest_framework import serializers

from players.api.serializers import NameField
from rest.bodies import StrictFields
from rest.queries import QueryFields
from rest.texts import described
from rules.errors import BadOption, NotForSeats, UnknownPreset
from rules.mexican_train.options import FEWEST_SEATS, MOST_SEATS, must_suit, read_each
from rules.mexican_train.presets import PRESETS, named, rules_of
from tables.invites import LONGEST_INVITE
from tables.models import SEED_LENGTH, TABLE_NAME_LENGTH, OnTimeout, Spectators, Status, Table, Visibility
from tables.presenters.values import LEVELS
from tables.translating import translated

BAD_OPTION = "bad_option"


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
            raise serializers.ValidationError(translated(unknown.detail), code=BAD_OPTION) from unknown


class OptionsField(serializers.DictField):
    """House rules by name. Each value is checked here; ``RULES_FIT`` checks them with the preset and the seats."""

    def to_internal_value(self, data: Any) -> dict[str, Any]:
        options: dict[str, Any] = super().to_internal_value(data)
        try:
            read_each(options)
        except BadOption as wrong:
            by_name = {each.option: translated(each.detail) for each in (wrong, *wrong.others)}
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
    return serializers.ValidationError({field: translated(refused.detail)}, code=BAD_OPTION)


class RulesFields(StrictFields):
    """The rules of a table, and its number of seats."""

    preset = PresetField(
        max_length=40,
        required=False,
        help_text=f"The rule set; `GET rules/presets` describes each. One of {', '.join(PRESETS)}.",
    )
    options = OptionsField(
        required=False,
        help_text=(
            "House rules: the options that differ from the preset, by name. `GET rules/options` lists all options."
        ),
    )
    seats = serializers.IntegerField(
        min_value=FEWEST_SEATS,
        max_value=MOST_SEATS,
        required=False,
        help_text=(
            "The number of seats, including those of bots. Most rule sets allow fewer than 12; `GET rules/presets` "
            "has the numbers."
        ),
    )


class TurnSecondsField(serializers.IntegerField):
    """How long a turn may take."""

    def __init__(self, **kwargs: Any) -> None:
        meaning = "The time for a turn in seconds, from five seconds to two weeks; `null` means no clock."
        super().__init__(min_value=5, max_value=1_209_600, allow_null=True, help_text=meaning, **kwargs)


class OnTimeoutField(serializers.ChoiceField):
    """What happens when the time is over."""

    def __init__(self, **kwargs: Any) -> None:
        meaning = (
            "What happens when the time is over. `auto`: the simplest moves end the turn. `bot`: a bot plays the "
            "turn, and after three such turns in a row it continues until the player is back. `forfeit`: a bot plays "
            "to the end of the match, and the seat cannot win."
        )
        super().__init__(OnTimeout.choices, help_text=meaning, **kwargs)


class TableFields(RulesFields):
    """The fields that a table is opened with, and that its host may change while it is open."""

    name = NameField(max_length=TABLE_NAME_LENGTH, allow_blank=True, required=False, help_text="The name of the table.")
    visibility = serializers.ChoiceField(
        Visibility.choices,
        required=False,
        help_text=(
            "Who may take a seat. `private`: only players with the invite. `public`: anybody, and the table is listed."
        ),
    )
    spectators = serializers.ChoiceField(
        Spectators.choices,
        required=False,
        help_text=(
            "Who may watch. `open`: anybody who knows the table's address. `none`: only the seated players and the "
            "host, and while a public table is open, everybody who may take a seat."
        ),
    )
    turn_seconds = TurnSecondsField(required=False)
    on_timeout = OnTimeoutField(required=False)
    on_leave = LevelField(
        required=False, help_text="The level of the bot that plays for a player who leaves, is away or was too slow."
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
        help_text=(
            "Minutes after which anybody who sits at the table may put a bot in place of an absent player, in a "
            "match without a clock. After the same time, the next person replaces an absent host. From 3 to 20160, "
            "which is two weeks; `null` means never."
        ),
    )
    hints = serializers.BooleanField(
        required=False, help_text="Whether players may ask which move a bot would make for them."
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


@described("Rules to check.")
class CheckSerializer(WithDefaults, RulesFields):
    checks = RULES_FIT


@described("A table to open. Fields left out take their defaults.")
class OpenTableSerializer(WithDefaults, TableFields):
    host_seat = SeatField(
        allow_null=True, required=False, help_text="The seat of the host; `null` if the host does not play."
    )
    bots = BotSeatSerializer(many=True, required=False, help_text="The bots, each with its seat and level.")
    checks = {**RULES_FIT, ("seats", "host_seat", "bots"): check_chairs}


@described("Changes to an open table; omitted fields keep their value.")
class ChangeTableSerializer(TableFields):
    preset = PresetField(
        max_length=40,
        required=False,
        help_text="Another rule set. It removes all house rules that are not sent with it.",
    )
    options = OptionsField(required=False, help_text="House rules to set; the table's other house rules stay.")


class InviteField(serializers.CharField):
    def __init__(self, **kwargs: Any) -> None:
        description = "The code of the invite, in upper or lower case, or its link."
        super().__init__(max_length=LONGEST_INVITE, help_text=description, **kwargs)


@described("An invite and, optionally, the wanted seat.")
class JoinSerializer(StrictFields):
    invite = InviteField()
    seat = SeatField(required=False)


@described("The wanted seat, which is optional, and the invite's code if the table is private.")
class TakeSeatSerializer(StrictFields):
    seat = SeatField(required=False)
    invite = InviteField(required=False)


@described("How well a bot plays.")
class BotLevelSerializer(StrictFields):
    level = LevelField(
        required=False,
        help_text=(
            "The level of a bot that takes an empty seat or replaces a bot. Do not send it if the bot plays for a "
            "person: the table's `on_leave` sets that level."
        ),
    )


@described("A clock for a running match.")
class ClockSerializer(StrictFields):
    turn_seconds = TurnSecondsField()
    on_timeout = OnTimeoutField()


class LeaveSeatFilterSerializer(QueryFields):
    player = serializers.UUIDField(
        required=False, help_text="The player who leaves the seat. If another player sits there now, nothing changes."
    )


class TableFilterSerializer(QueryFields):
    status = serializers.ChoiceField(Status.choices, required=False)
    visibility = serializers.ChoiceField(Visibility.choices, required=False)


class PageSerializer(QueryFields):
    """Which page of a list. DRF's pagination reads the same parameters."""

    cursor = serializers.CharField(
        required=False, allow_blank=True, help_text="The cursor from `next` or `previous` of another page."
    )
    limit = serializers.IntegerField(required=False, min_value=1, max_value=100, help_text="Entries per page.")


@described("A move, and the number that its sender expects it to have in the log.")
class MoveInSerializer(StrictFields):
    move = serializers.CharField(
        allow_blank=True, help_text="12-7>0, 12-7>mexican, draw, pass, end, announce or call 2."
    )
    number = serializers.IntegerField(min_value=1, max_value=2**31 - 1)
    keep_marker = serializers.BooleanField(
        default=False,
        help_text="For a play: keep the marker on the own train. The rules of the table must allow it.",
    )


LONGEST_WAIT = 60
LONGEST_STREAM_ID = 8000


class SaidField(serializers.BooleanField):
    """Whether the answer includes sentences."""

    def __init__(self, **kwargs: Any) -> None:
        wanted = "Whether each move has `said`: a sentence that describes it in the language of the request."
        super().__init__(default=False, help_text=wanted, **kwargs)


class SaidFilterSerializer(QueryFields):
    said = SaidField()


class WaitSerializer(QueryFields):
    wait = serializers.IntegerField(
        min_value=0,
        max_value=LONGEST_WAIT,
        default=0,
        help_text="Seconds to wait for a change before the server answers 304.",
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
        help_text=(
            "The `id` of the last event that arrived, or the `version` of a position. The header takes precedence."
        ),
    )
    said = SaidField()


class HintFilterSerializer(QueryFields):
    level = LevelField(required=False, help_text="The level of the bot; `hard` by default.")


class PictureFilterSerializer(QueryFields):
    shape = serializers.ChoiceField(
        ["tall", "wide"], default="tall", help_text="`tall` for a phone, `wide` for a desktop."
    )


class MovesFilterSerializer(QueryFields):
    after = serializers.IntegerField(min_value=0, max_value=2**31 - 1, default=0)
    limit = serializers.IntegerField(min_value=1, max_value=500, default=100)
    said = SaidField()


@described("A seat's own contribution to the next deal.")
class ClientSeedSerializer(StrictFields):
    seed = serializers.CharField(max_length=SEED_LENGTH, allow_blank=True, trim_whitespace=False)
