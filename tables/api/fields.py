"""What goes into the calls about tables."""

from typing import Any

from django.utils.translation import gettext
from rest_framework import serializers

from players.api.serializers import NameField
from rest.bodies import StrictFields
from rules.bots import BOTS
from rules.option_kinds import MOST_SEATS
from rules.presets import PRESETS
from tables.models import SEED_LENGTH, TABLE_NAME_LENGTH, OnTimeout, Spectators, Status, Visibility

Fields = serializers.Serializer[Any]
LEVELS = [(level, level) for level in sorted(BOTS)]


class LevelField(serializers.ChoiceField):
    """A bot's level."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(choices=LEVELS, **kwargs)


class SeatField(serializers.IntegerField):
    """A seat's number."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(min_value=0, max_value=MOST_SEATS - 1, **kwargs)


class BotSeatSerializer(StrictFields):
    """A bot's level, and the seat that it takes."""

    seat = SeatField()
    level = LevelField()


class OptionsField(serializers.DictField):
    """House rules that differ from the preset, by name; what each may be is checked as a whole."""


class TableFieldsSerializer(StrictFields):
    """What a table is opened with, and what its host may change while it is open."""

    name = NameField(max_length=TABLE_NAME_LENGTH, allow_blank=True, required=False)
    preset = serializers.CharField(max_length=40, required=False, help_text=f"One of {', '.join(PRESETS)}.")
    options = OptionsField(required=False)
    seats = serializers.IntegerField(min_value=1, max_value=99, required=False)
    visibility = serializers.ChoiceField(Visibility.choices, required=False)
    turn_seconds = serializers.IntegerField(min_value=5, max_value=1_209_600, allow_null=True, required=False)
    on_timeout = serializers.ChoiceField(OnTimeout.choices, required=False)
    on_leave = LevelField(required=False)
    spectators = serializers.ChoiceField(Spectators.choices, required=False)
    bot_delay_ms = serializers.IntegerField(min_value=0, max_value=5000, required=False)
    auto_pass = serializers.BooleanField(required=False)
    hints = serializers.BooleanField(required=False)


class OpenTableSerializer(TableFieldsSerializer):
    host_seat = SeatField(allow_null=True, default=0, help_text="null: the host does not play.")
    bots = BotSeatSerializer(many=True, required=False)

    def validate(self, given: dict[str, Any]) -> dict[str, Any]:
        given.setdefault("preset", "classic")
        given.setdefault("options", {})
        given.setdefault("seats", 4)
        taken = [bot["seat"] for bot in given.setdefault("bots", [])]
        host_seat = given["host_seat"]
        out_of_range = gettext("Seats are numbered from 0 to {last}.").format(last=given["seats"] - 1)
        if host_seat is not None and host_seat >= given["seats"]:
            raise serializers.ValidationError({"host_seat": out_of_range})
        if any(seat >= given["seats"] for seat in taken):
            raise serializers.ValidationError({"bots": out_of_range})
        if len({host_seat, *taken}) != len([host_seat, *taken]):
            raise serializers.ValidationError({"bots": gettext("A seat is named twice, or is the host's.")})
        return given


class JoinSerializer(StrictFields):
    """An invite's code, and the seat that is wanted, if it matters."""

    invite = serializers.CharField(max_length=32)
    seat = SeatField(required=False)


class TakeSeatSerializer(StrictFields):
    """The seat that is wanted, if it matters, and the invite's code that a private table asks for."""

    seat = SeatField(required=False)
    invite = serializers.CharField(max_length=32, required=False)


class BotLevelSerializer(StrictFields):
    """How well a bot plays."""

    level = LevelField()


class TableFilterSerializer(Fields):
    status = serializers.ChoiceField(Status.choices, required=False)
    visibility = serializers.ChoiceField(Visibility.choices, required=False)


class PageSerializer(Fields):
    """Which page of a list; DRF's pagination reads them too."""

    cursor = serializers.CharField(
        required=False, allow_blank=True, help_text="From `next` or `previous` of another page."
    )
    limit = serializers.IntegerField(required=False, min_value=1, max_value=100, help_text="Entries a page.")


class MoveInSerializer(StrictFields):
    """A move, and the place in the log that its sender believes it fills."""

    move = serializers.CharField(
        allow_blank=True, help_text="12-7>0, 12-7>mexican, draw, pass, end, announce or call 2."
    )
    number = serializers.IntegerField(min_value=1, max_value=2**31 - 1)
    keep_marker = serializers.BooleanField(
        default=False,
        help_text="With a play: leave the marker on the own train, where the table's rules let a seat choose.",
    )


LONGEST_WAIT = 60


class WaitSerializer(Fields):
    wait = serializers.IntegerField(
        min_value=0, max_value=LONGEST_WAIT, default=0, help_text="Seconds to hold an answer that would be 304."
    )


class EventsFilterSerializer(Fields):
    last_event_id = serializers.IntegerField(
        min_value=0, max_value=2**31 - 1, required=False, help_text="As the header `Last-Event-ID`, which goes first."
    )


class HintFilterSerializer(Fields):
    level = LevelField(required=False, help_text="The bot that is asked; `hard` unless said otherwise.")


class PictureFilterSerializer(Fields):
    shape = serializers.ChoiceField(
        ["tall", "wide"], default="tall", help_text="`tall` for a telephone, `wide` for a desk."
    )


class MovesFilterSerializer(Fields):
    after = serializers.IntegerField(min_value=0, max_value=2**31 - 1, default=0)
    limit = serializers.IntegerField(min_value=1, max_value=500, default=100)


class ClientSeedSerializer(StrictFields):
    """What a seat adds to the next deal."""

    seed = serializers.CharField(max_length=SEED_LENGTH, allow_blank=True, trim_whitespace=False)
