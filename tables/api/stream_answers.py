"""Serializers of the data of each event in a stream, for the schema only."""

from drf_spectacular.utils import PolymorphicProxySerializer
from rest_framework import serializers

from rest.answers import AnswerSerializer
from rest.texts import described
from tables.api.answers import ENDED_REASON, Answer, ForfeitedField, LogEntry, RoundResult
from tables.events import EVENT_FIELDS
from tables.models import EndedReason, Status
from tables.presenters.tables import SeatedPlayer

DEALT, ENDED = ("dealt",), ("ended",)
END_REASONS = ("finished", "cancelled", "hidden", "reconnect", "too_old")


class StreamEvent(Answer):
    version = serializers.IntegerField(help_text="The version of the table; also the `id` of the event.")
    said = serializers.CharField(required=False, help_text="The change as a sentence, with `said=true`.")


@described("`move`: an entry of the log, and the seat to move after it.")
class MoveEvent(StreamEvent, LogEntry):
    turn = serializers.IntegerField(allow_null=True, help_text="The seat to move now; null: the round is over.")


@described("`round`: a round was dealt.")
class RoundDealtEvent(StreamEvent):
    what = serializers.ChoiceField(DEALT)
    round = serializers.IntegerField()
    engine = serializers.CharField()
    starter = serializers.IntegerField()
    commitment = serializers.CharField()


@described("`round`: a round has ended.")
class RoundEndedEvent(StreamEvent):
    what = serializers.ChoiceField(ENDED)
    round = serializers.IntegerField()
    result = RoundResult()


@described("`seat`: somebody sat down, left or came back.")
class SeatEvent(StreamEvent):
    seat = serializers.IntegerField()
    player = AnswerSerializer(SeatedPlayer, allow_null=True)
    away = serializers.BooleanField(help_text="Whether a bot plays for the player.")
    forfeited = ForfeitedField()


@described("`table`: the table started, ended or changed in another way.")
class TableEvent(StreamEvent):
    changed = serializers.ListField(
        child=serializers.ChoiceField(EVENT_FIELDS), help_text="The fields of the table that changed."
    )
    status = serializers.ChoiceField(Status.choices)
    host = serializers.UUIDField(allow_null=True)
    winners = serializers.ListField(child=serializers.IntegerField(), allow_null=True)
    ended_reason = serializers.ChoiceField(EndedReason.choices, allow_null=True, help_text=ENDED_REASON)
    next_table = serializers.UUIDField(required=False, help_text="The table of the rematch, unless that has ended.")


@described("`warn`: a quarter of a turn of a minute or more is left. It has no version, and is not stored.")
class WarnEvent(Answer):
    seat = serializers.IntegerField(help_text="The seat to move.")
    deadline = serializers.DateTimeField(help_text="When the time of the turn is over.")
    server_time = serializers.DateTimeField(help_text="The server's time when it sent this.")


@described("`table`: a table where the caller sits has changed, with its current state.")
class MyTableEvent(Answer):
    table = serializers.UUIDField()
    version = serializers.IntegerField(help_text="The version of the table, as in its position.")
    your_turn = serializers.BooleanField(help_text="Whether the table waits for the caller.")
    status = serializers.ChoiceField(Status.choices)


@described(
    "`end`: the last event of a stream, without a version. After `reconnect` and `too_old` there are more events "
    "to read."
)
class EndEvent(Answer):
    reason = serializers.ChoiceField(END_REASONS)


EVENT = PolymorphicProxySerializer(
    component_name="StreamedEvent",
    serializers=[MoveEvent, RoundDealtEvent, RoundEndedEvent, SeatEvent, TableEvent, EndEvent, WarnEvent],
    resource_type_field_name=None,
)
"""The data of one event. The schema says what a stream consists of, as generators of clients expect it."""

MY_EVENT = PolymorphicProxySerializer(
    component_name="MyStreamedEvent", serializers=[MyTableEvent, EndEvent], resource_type_field_name=None
)
"""The data of one event in the stream of all the caller's tables."""
