"""The data of each event in a stream."""

from datetime import datetime
from typing import Annotated, Literal, TypedDict

from drf_spectacular.utils import PolymorphicProxySerializer

from rest.answers import AnswerSerializer, Id
from rest.texts import described
from tables.models import Status
from tables.presenters.history import MoveEvent, RoundDealtEvent, RoundEndedEvent, SeatEvent, TableEvent

END_REASONS = ("finished", "cancelled", "hidden", "reconnect", "too_old")


@described("`warn`: a quarter of a turn of a minute or more is left. It has no version, and is not stored.")
class WarnEvent(TypedDict):
    seat: Annotated[int, "The seat to move."]
    deadline: Annotated[datetime, "When the time of the turn is over."]
    server_time: Annotated[datetime, "The server's time when it sent this."]


@described("`table`: a table where the caller sits has changed, with its current state.")
class MyTableEvent(TypedDict):
    table: Annotated[Id, "The table's id."]
    version: Annotated[int, "The version of the table, as in its position."]
    your_turn: Annotated[bool, "Whether the table waits for the caller."]
    status: Annotated[str, Status, "Whether the table is open, the match is running, or how it has ended."]


@described(
    "`end`: the last event of a stream, without a version. After `reconnect` and `too_old` there are more events "
    "to read."
)
class EndEvent(TypedDict):
    reason: Annotated[
        str,
        Literal[END_REASONS],
        (
            "Why the stream ends: the table is over (`finished`, `cancelled`), the caller may no longer see it "
            "(`hidden`), the client should connect again (`reconnect`), or earlier events are no longer stored "
            "(`too_old`)."
        ),
    ]


EVENT = PolymorphicProxySerializer(
    component_name="StreamedEvent",
    serializers=[
        AnswerSerializer(kind)
        for kind in (MoveEvent, RoundDealtEvent, RoundEndedEvent, SeatEvent, TableEvent, EndEvent, WarnEvent)
    ],
    resource_type_field_name=None,
)
"""The data of one event. The schema says what a stream consists of, as generators of clients expect it."""

MY_EVENT = PolymorphicProxySerializer(
    component_name="MyStreamedEvent",
    serializers=[AnswerSerializer(kind) for kind in (MyTableEvent, EndEvent)],
    resource_type_field_name=None,
)
"""The data of one event in the stream of all the caller's tables."""
