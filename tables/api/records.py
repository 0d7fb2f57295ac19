"""API calls about records: a table's match as one document, and the check of any such document."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from threading import Lock
from typing import Annotated, Any, ClassVar, Literal, NotRequired, TypedDict
from uuid import UUID

from django.utils.decorators import method_decorator
from django.utils.translation import gettext_noop as N_
from drf_spectacular.types import OpenApiTypes
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from rest.answers import as_serializer
from rest.bodies import MOST_ANYWHERE, PlainText, PlainTextParser, StrictJSONParser
from rest.conditions import conditional
from rest.languages import TranslatedResponse
from rest.problems import PreconditionFailed, Problem, ProblemError, Unavailable, raises
from rest.rendering import FastJSONRenderer
from rest.texts import described, operation
from rest.throttles import CallerThrottle, CheckThrottle
from rules.records.checking import Checked, check_record
from rules.records.json_form import document_of, listed, record_from
from rules.records.members import RecordDocument, RecordMove, RecordRound, RecordSeat
from rules.records.record import BadRecord, Fault, FaultCode, Record
from rules.records.text_form import record_in, text_of
from runtime.connections import release_connection
from tables import records
from tables.api.views import TablesApiView, VisibleTableApiView
from tables.presenters.values import FAIRNESS, REASONS
from tables.translating import translated

JSON, TEXT = "application/json", "text/plain"
NO_RECORDS = {FaultCode.UNREADABLE, FaultCode.UNKNOWN_VERSION}
"""The faults of documents that are no records at all. All other faults are faults in a record."""


class TextRenderer(BaseRenderer):
    media_type = TEXT
    format = "txt"
    charset = "utf-8"

    def render(
        self, data: Any, accepted_media_type: str | None = None, renderer_context: Mapping[str, Any] | None = None
    ) -> bytes:
        return b"" if data is None else str(data).encode()


CHECKING = Lock()
"""Only one check runs at a time in a process. A check only computes, so a second one would slow down all requests."""
PATIENCE = 2.0
"""Seconds that a check waits for another one."""


class CheckingOthers(Unavailable):
    detail = N_("The server is checking other records; try again in a moment.")
    wait = PATIENCE


class UnreadableRecord(Problem):
    detail = N_("The server cannot read this record; see `errors`.")
    status, code = 400, "unreadable_record"


described("A match as one document, as `docs/record-format.md` describes it.", name="RecordAnswer")(RecordDocument)
described("A round. It has either `order`, or `hands` and `boneyard`. Fields that follow from these are optional.")(
    RecordRound
)
described("A seat of a match.")(RecordSeat)
described("A move of a match.")(RecordMove)


@described("The place of a fault; `null` for unknown parts.")
class RecordPlace(TypedDict):
    round: Annotated[int | None, "The number of the round, from 1."]
    number: Annotated[int | None, "The move's place in the log."]
    line: Annotated[int | None, "The number in a text, from 1."]
    column: Annotated[int | None, "The number in a text, from 1."]
    field: Annotated[str | None, "The path of the field in JSON."]


@described("The first fault of a record.")
class RecordFault(TypedDict):
    code: Annotated[FaultCode, "What is wrong. The values are stable."]
    detail: Annotated[str, "What is wrong as a sentence, in the language of the request."]
    where: Annotated[RecordPlace, "The place of the fault."]
    reason: Annotated[Annotated[str, Literal[REASONS]] | None, "Why a move is illegal; `null` for other faults."]
    option: Annotated[str | None, "The option that decides whether the move is legal; `null` if there is none."]


@described("The result of a record, or its first fault.")
class CheckedRecordAnswer(TypedDict):
    valid: Annotated[bool, "Whether the record describes a legal match."]
    fault: NotRequired[Annotated[RecordFault, "The first fault, if there is one."]]
    finished: NotRequired[Annotated[bool, "Whether the match is over."]]
    rounds: NotRequired[Annotated[int, "The number of rounds."]]
    moves: NotRequired[Annotated[int, "The number of moves."]]
    totals: NotRequired[Annotated[list[int], "The points of each seat in all rounds."]]
    winners: NotRequired[Annotated[list[int] | None, "The seats that won; `null` if the match is not finished."]]
    fair: NotRequired[
        Annotated[str, Literal[FAIRNESS], "Whether the order of each round follows from its committed secret."]
    ]


@method_decorator(conditional, name="dispatch")
class RecordView(VisibleTableApiView):
    problems = (PreconditionFailed,)
    renderer_classes = (FastJSONRenderer, TextRenderer)

    @operation(
        "record",
        "Get all finished rounds as one document",
        "The document is JSON, or with `Accept: text/plain` a text for people.",
        responses={(200, JSON): RecordDocument, (200, TEXT): OpenApiTypes.STR, 304: None},
    )
    def get(self, request: Request, table_id: UUID) -> Response:
        record = records.record_of(self.visible_table())
        release_connection()
        is_text = request.accepted_renderer.media_type == TEXT
        headers = {
            "Cache-Control": "private, no-cache",
            "Content-Disposition": f'inline; filename="{table_id}.{"txt" if is_text else "json"}"',
            "Vary": "Accept, Authorization",
        }
        return Response(text_of(record) if is_text else document_of(record), headers=headers)


class CheckRecordView(TablesApiView):
    parser_classes = (StrictJSONParser, PlainTextParser)
    throttle_classes = (CallerThrottle, CheckThrottle)
    most_bytes: ClassVar[int] = MOST_ANYWHERE

    @operation(
        "check_record",
        ("Check whether a record describes a legal match, and find its first fault"),
        request={JSON: as_serializer(RecordDocument), TEXT: OpenApiTypes.STR},
        responses=CheckedRecordAnswer,
    )
    @raises(UnreadableRecord, CheckingOthers)
    def post(self, request: Request) -> Response:
        try:
            with alone():
                return Response(present_checked(check_record(read(request.data))))
        except BadRecord as bad:
            if bad.fault.code in NO_RECORDS:
                raise unreadable(bad.fault) from bad
            faulty: CheckedRecordAnswer = {"valid": False, "fault": present_fault(bad.fault)}
            return TranslatedResponse(faulty)


@contextmanager
def alone() -> Iterator[None]:
    """Run the block without another check at the same time, and without a database connection.

    Raises ``CheckingOthers`` after waiting for too long.
    """
    release_connection()
    if not CHECKING.acquire(timeout=PATIENCE):
        raise CheckingOthers
    try:
        yield
    finally:
        CHECKING.release()


def read(body: object) -> Record:
    """Return the record in a body, which is text or JSON."""
    return record_in(body) if isinstance(body, PlainText) else record_from(body)


def present_checked(found: Checked) -> CheckedRecordAnswer:
    return {
        "valid": True,
        "finished": not found.record.is_unfinished,
        "rounds": len(found.record.rounds),
        "moves": found.move_count,
        "totals": list(found.totals),
        "winners": listed(found.record.winners),
        "fair": found.fair,
    }


def present_fault(fault: Fault) -> RecordFault:
    place = fault.place
    where: RecordPlace = {
        "round": place.round,
        "number": place.number,
        "line": place.line,
        "column": place.column,
        "field": place.field,
    }
    return {
        "code": fault.code,
        "detail": translated(fault.detail),
        "where": where,
        "reason": fault.reason,
        "option": fault.option,
    }


def unreadable(fault: Fault) -> UnreadableRecord:
    place = fault.place
    error: ProblemError = {
        "field": place.field or "",
        "code": fault.code,
        "detail": translated(fault.detail),
        "line": place.line,
        "column": place.column,
    }
    return UnreadableRecord(translated(fault.sentence), errors=[error])
