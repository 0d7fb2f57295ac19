"""Serializers of the requests about tables."""

from collections.abc import Callable, Mapping
from typing import Any

from django.db import models
from django.utils.translation import gettext
from rest_framework import serializers

from players.api.serializers import NameField
from rest.bodies import StrictFields
from rest.queries import QueryFields
from rest.texts import described
from rules import games
from rules.errors import BadOption, NotForSeats, UnknownPreset
from tables.invites import LONGEST_INVITE
from tables.models import SEED_LENGTH, SETTINGS, TABLE_NAME_LENGTH, Status, Table, Visibility
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
        super().__init__(min_value=0, max_value=games.most_seats() - 1, **kwargs)


@described("A bot's level, and the seat that it takes.")
class BotSeatSerializer(StrictFields):
    seat = SeatField(help_text="The seat's number, from 0.")
    level = LevelField(help_text="The level of the bot.")


class PresetField(serializers.CharField):
    """A preset by its name."""

    def to_internal_value(self, data: Any) -> str:
        name: str = super().to_internal_value(data)
        try:
            games.of_preset(name)
        except UnknownPreset as unknown:
            raise serializers.ValidationError(translated(unknown.detail), code=BAD_OPTION) from unknown
        return name


class OptionsField(serializers.DictField):
    """House rules by name. Each value is checked here; ``RULES_FIT`` checks them with the preset and the seats."""

    def to_internal_value(self, data: Any) -> dict[str, Any]:
        options: dict[str, Any] = super().to_internal_value(data)
        try:
            games.check_options(options)
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
        help_text=f"The rule set; `GET rules/presets` describes each. One of {', '.join(games.presets())}.",
    )
    options = OptionsField(
        required=False,
        help_text=(
            "House rules: the options that differ from the preset, by name. `GET rules/options` lists all options."
        ),
    )
    seats = serializers.IntegerField(
        min_value=games.fewest_seats(),
        max_value=games.most_seats(),
        required=False,
        help_text=(
            "The number of seats, including those of bots. Most rule sets allow fewer than 12; `GET rules/presets` "
            "has the numbers."
        ),
    )


def setting_field(name: str, **more: Any) -> Any:
    """Return the field of a request for one setting of a table."""
    setting = SETTINGS[name]
    column, least, most = setting.column, setting.least or 0, setting.most
    more["help_text"] = setting.meaning
    if name == "name":
        return NameField(TABLE_NAME_LENGTH, allow_blank=True, **more)
    if name == "on_leave":
        return LevelField(**more)
    match column:
        case models.BooleanField():
            return serializers.BooleanField(**more)
        case models.IntegerField():
            return serializers.IntegerField(min_value=least, max_value=most, allow_null=column.null, **more)
    assert column.choices is not None
    return serializers.ChoiceField(column.choices, **more)


class TableFields(RulesFields):
    """The fields that a table is opened with, and that its host may change while it is open: rules and settings."""


TableFields._declared_fields |= {name: setting_field(name, required=False) for name in SETTINGS}  # noqa: SLF001


DEFAULTS: dict[str, Any] = {
    "preset": "classic",
    "options": dict,
    "seats": 4,
    "host_seat": 0,
    "bots": list,
    **{name: getattr(Table(), name) for name in SETTINGS},
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
        rules = games.of_preset(preset)
        rules.must_suit(rules.options_of(preset, options), seats)
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
    seat = SeatField(required=False, help_text="The number of the wanted seat, from 0; by default any free one.")


@described("The wanted seat, which is optional, and the invite's code if the table is private.")
class TakeSeatSerializer(StrictFields):
    seat = SeatField(required=False, help_text="The number of the wanted seat, from 0; by default any free one.")
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
    turn_seconds = setting_field("turn_seconds")
    on_timeout = setting_field("on_timeout")


class LeaveSeatFilterSerializer(QueryFields):
    player = serializers.UUIDField(
        required=False, help_text="The player who leaves the seat. If another player sits there now, nothing changes."
    )


class TableFilterSerializer(QueryFields):
    status = serializers.ChoiceField(Status.choices, required=False, help_text="Only tables with this status.")
    visibility = serializers.ChoiceField(
        Visibility.choices, required=False, help_text="Only tables with this visibility."
    )


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
    number = serializers.IntegerField(
        min_value=1,
        max_value=2**31 - 1,
        help_text="The expected place in the log: `next_number` of the position.",
    )
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
    after = serializers.IntegerField(
        min_value=0, max_value=2**31 - 1, default=0, help_text="The number in the log after which to begin."
    )
    limit = serializers.IntegerField(
        min_value=1, max_value=500, default=100, help_text="The most entries of one answer."
    )
    said = SaidField()


@described("A seat's own contribution to the next deal.")
class ClientSeedSerializer(StrictFields):
    seed = serializers.CharField(
        max_length=SEED_LENGTH, allow_blank=True, trim_whitespace=False, help_text="Any text; empty for none."
    )
