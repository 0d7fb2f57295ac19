"""Waiting for changes: answers that are held, and the stream of a table's events."""

import json
import logging
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeVar
from uuid import UUID

from django.db import Error, close_old_connections
from django.http import HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.utils import translation
from django.utils.translation import get_language, gettext
from drf_spectacular.utils import OpenApiResponse
from rest_framework.exceptions import AuthenticationFailed, ValidationError
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request
from rest_framework.utils.encoders import JSONEncoder

from rest import working
from rest.bodies import validated
from rest.languages import language_headers
from rest.texts import operation
from rest.throttles import address_of
from runtime import database_away
from tables import refusals, spoken
from tables.api import fields
from tables.api.stream_answers import EVENT, EndEvent
from tables.api.views import VisibleTableApiView
from tables.api.warning import RunningTurn, turn_at
from tables.models import EventKind, Status
from tables.presenters.history import present_events
from tables.watchers import Watcher
from tables.watching import TOWER, Crowded

W = TypeVar("W", bound=Watcher)

EVENTS = "text/event-stream"
BEAT = 15.0
"""A stream without news sends a sign of life after this many seconds."""
LOOKS_EVERY = 60.0
"""Seconds after which a watcher's permission is checked again, because a token may have been revoked."""
LONGEST = 3600.0
"""Seconds after which a stream ends. The client reconnects, perhaps to another process."""
AT_ONCE = 500
"""The most events read in one query."""
LONGEST_ID = 10
OVER = (Status.FINISHED, Status.CANCELLED)
MAY_HIDE = (EventKind.SEAT, EventKind.TABLE)
HEADERS = {"Cache-Control": "no-cache", "X-Accel-Buffering": "no", "Vary": "Authorization"}
OPENING = b"retry: 1000\n\n"
SIGN_OF_LIFE = b": still here\n\n"

log = logging.getLogger(__name__)


COME_BACK = {"Retry-After": str(Crowded.wait)}
"""The header of a 304 that is sent at once because too many clients wait. Without it, clients would retry at once."""


def wait_for_change(call: VisibleTableApiView, seconds: float) -> bool:
    """Hold the call until its table changes, then load it again. If too many wait already, return False at once."""
    deadline = time.monotonic() + seconds
    known = version_of(call)
    try:
        with TOWER.watching(call.table_id, waiting_caller(call), address_of(call.request)) as watcher:
            call.look()
            while version_of(call) == known and not watcher.is_last_call and time.monotonic() < deadline:
                close_old_connections()  # waiting requests hold no connection
                with working.PLACES.lent():
                    watcher.wait_beyond(known, deadline - time.monotonic())
                watcher.must_check_token()  # because ``look`` follows anyway
                call.look()
    except Crowded:
        return False
    return True


def version_of(call: VisibleTableApiView) -> int:
    assert call.caller.version is not None
    return call.caller.version


def waiting_caller(call: VisibleTableApiView) -> str:
    """Return the player's id, or the address of a caller without a token."""
    return str(call.caller.player or address_of(call.request))


class EventStream(BaseRenderer):
    """Names the media type. A stream renders itself."""

    media_type = EVENTS
    format = "events"


class EventsView(VisibleTableApiView):
    renderer_classes = (EventStream,)

    @operation(
        "events",
        "Follow the changes at a table, as server-sent events",
        (
            "The events are `move`, `round`, `seat`, `table`, `warn` when a quarter of a turn of a minute or more is "
            "left, and `end` with a reason. The `id` of an event is the table's version; `warn` and `end` have no "
            "`id`. With `last_event_id`, or the header `Last-Event-ID` that an `EventSource` sends when it "
            "reconnects, the stream begins after that event. Without it, the stream sends only new events. All who "
            "may see the table get the same events; no event contains a hidden tile."
        ),
        parameters=[fields.EventsFilterSerializer],
        responses={
            (200, EVENTS): EVENT,
            204: OpenApiResponse(description="The table is over, and all was told. A browser's `EventSource` stops."),
        },
    )
    def get(self, request: Request, table_id: UUID) -> HttpResponseBase:
        wanted = validated(fields.EventsFilterSerializer, request.query_params)
        after = last_event_of(request, wanted, version_of(self))
        if is_all(self, after):
            return HttpResponse(status=204, content_type=EVENTS, headers=HEADERS)
        if request.method == "HEAD":  # otherwise a server runs the whole stream and sends nothing
            return StreamingHttpResponse(content_type=EVENTS, headers=HEADERS)
        stream = Stream(self, after, get_language() if wanted["said"] else None)
        return StreamingHttpResponse(stream, content_type=EVENTS, headers=HEADERS | sentence_headers(wanted["said"]))


def sentence_headers(is_said: bool) -> dict[str, str]:  # noqa: FBT001
    """Return the headers of a stream with sentences."""
    return language_headers() | {"Vary": "Accept-Language, Authorization"} if is_said else {}


def last_event_of(request: Request, wanted: Mapping[str, Any], now: int) -> int:
    """Return the version after which to go on.

    Raises ``ValidationError`` for a version that the table has not had.
    """
    asked: int = wanted.get("last_event_id", now)
    header = request.headers.get("Last-Event-ID", "").strip()
    if header:
        asked = int(header) if header.isdecimal() and len(header) < LONGEST_ID else now + 1
    if asked > now:
        never_had = gettext("The table has not reached this version yet; its version is {now}.").format(now=now)
        raise ValidationError({"Last-Event-ID": never_had})
    return asked


def is_all(call: VisibleTableApiView, after: int) -> bool:
    """Whether the table is over and nothing has happened there after this version."""
    return call.caller.status in OVER and after == version_of(call)


class Stream:
    """The events sent to one watcher, from the version after ``after`` on. Raises ``Crowded``."""

    call: Any
    watcher: Watcher
    turn: RunningTurn | None = None
    has_warned = False

    def __init__(self, call: VisibleTableApiView, after: int, language: str | None = None) -> None:
        self.call, self.after, self.language = call, after, language
        self.looks_at = 0.0
        self.watcher = self.enter(TOWER.watching(call.table_id, waiting_caller(call), address_of(call.request)))

    def enter(self, watching: AbstractContextManager[W]) -> W:
        """Keep a place among the watchers until the stream is closed."""
        with ExitStack() as place:
            watcher = place.enter_context(watching)
            self.leave = place.pop_all()
        return watcher

    def close(self) -> None:
        """Called by the server when the stream ends, and also if it never begins."""
        self.leave.close()

    def __iter__(self) -> Iterator[bytes]:
        yield OPENING
        try:
            yield from self.everything(time.monotonic() + LONGEST)
        except Ended as end:
            yield end_text(end.reason)
        except Error as error:
            if not database_away.is_away(error):
                raise
            database_away.let_go(error)
            database_away.ABSENCE.begin(log, "watchers are asked to come back", error)
            yield end_text("reconnect")

    def everything(self, ends: float) -> Iterator[bytes]:
        """Yield all news until ``ends``, with signs of life in between. Raises ``Ended``."""
        while True:
            for text in self.news():
                yield text
                self.may_go_on(ends)
            close_old_connections()  # waiting requests hold no connection
            is_news = self.wait()
            self.may_go_on(ends)
            if not is_news:
                yield self.warning() or SIGN_OF_LIFE

    def wait(self) -> bool:
        """Wait for news, or until a warning or a sign of life is due. Returns whether there is news."""
        is_to_warn = self.turn is not None and not self.has_warned
        seconds = self.turn.seconds_to_warning() if self.turn is not None and is_to_warn else BEAT
        return self.watcher.wait_beyond(self.after, min(BEAT, seconds))

    def warning(self) -> bytes | None:
        """Return the warning that a quarter of the turn is left, once in a turn.

        It has no id, so a client that reconnects is warned again.
        """
        if self.turn is None or self.has_warned or self.turn.seconds_to_warning() > 0:
            return None
        self.has_warned = True
        event = self.turn.due_event()
        return event_text({"event": "warn", **event}) if event else None

    def may_go_on(self, ends: float) -> None:
        if self.watcher.is_last_call or time.monotonic() >= ends:
            raise Ended("reconnect")

    def news(self) -> Iterator[bytes]:
        """Yield what has happened since the last call. Raises ``Ended`` if nothing more can happen."""
        while (until := self.known_version()) > self.after:
            chunk = chunk_between(self.call.table_id, self.after, min(until, self.after + AT_ONCE), self.language)
            if chunk is None:
                raise Ended("too_old")
            if chunk.may_hide:
                self.look()
            yield chunk.text
            self.after = chunk.until
            self.has_warned = self.has_warned and not chunk.ends_turn
        if is_all(self.call, self.after):
            raise Ended(str(self.call.caller.status))
        self.turn = turn_at(self.call.table_id, self.after)

    def known_version(self) -> int:
        """Return the newest version that this process knows of.

        From time to time, and if the token is in doubt, it checks the database and the watcher's permission.
        """
        if self.watcher.must_check_token() or time.monotonic() >= self.looks_at:
            self.look()
        latest: int = max(version_of(self.call), self.watcher.latest)
        return latest

    def look(self) -> None:
        self.looks_at = time.monotonic() + LOOKS_EVERY
        try:
            self.call.look()
        except (AuthenticationFailed, refusals.NotFound) as hidden:
            raise Ended("hidden") from hidden


class Ended(Exception):
    """The end of a stream, with its reason."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Chunk:
    """Some events as they are sent.

    ``may_hide``: after them, the table may be hidden from the watcher. ``ends_turn``: another turn has begun.
    ``names_seats``: they contain players' names.
    """

    text: bytes
    until: int
    may_hide: bool
    ends_turn: bool
    names_seats: bool


class Named(Exception):
    """A chunk with players' names. It is not cached, because a player may be renamed or deleted."""

    def __init__(self, chunk: Chunk) -> None:
        super().__init__()
        self.chunk = chunk


def chunk_between(table: UUID, after: int, until: int, language: str | None = None) -> Chunk | None:
    """Return the events between two versions as they are presented now; ``None`` if some of them are not stored.

    With ``language`` they include sentences with players' names, so nothing is cached.
    """
    if language is not None:
        with translation.override(language):
            return chunk_of(spoken.with_said(table, present_events(table, after, until)), after, until)
    try:
        return lasting(table, after, until)
    except Named as named:
        return named.chunk


@lru_cache(maxsize=512)
def lasting(table: UUID, after: int, until: int) -> Chunk | None:
    """Return the same from a cache that all watchers share. Raises ``Named``."""
    chunk = chunk_of(present_events(table, after, until), after, until)
    if chunk is not None and chunk.names_seats:
        raise Named(chunk)
    return chunk


def chunk_of(found: Sequence[Mapping[str, Any]], after: int, until: int) -> Chunk | None:
    if [each["version"] for each in found] != list(range(after + 1, until + 1)):
        return None
    kinds = {each["event"] for each in found}
    return Chunk(
        text=b"".join(map(event_text, found)),
        until=until,
        may_hide=not kinds.isdisjoint(MAY_HIDE),
        ends_turn=any(map(is_end_of_turn, found)),
        names_seats=EventKind.SEAT in kinds,
    )


def is_end_of_turn(event: Mapping[str, Any]) -> bool:
    """Whether a turn ends with this event. A call, which other seats may make, ends no turn."""
    if event["event"] != EventKind.MOVE:
        return bool(event["event"] == EventKind.ROUND)
    return bool(event["type"] != "call" and event["turn"] != event["seat"])


def end_text(reason: str) -> bytes:
    end: EndEvent = {"reason": reason}
    return event_text({"event": "end", **end})


def event_text(event: Mapping[str, Any]) -> bytes:
    """Return one event as it is sent, with its version as its id.

    The last event, ``end``, has no id, so that a client that reconnects misses nothing.
    """
    data = {name: value for name, value in event.items() if name != "event"}
    lines = [f"id: {event['version']}"] if "version" in event else []
    lines += [f"event: {event['event']}", f"data: {json.dumps(data, cls=JSONEncoder)}", "", ""]
    return "\n".join(lines).encode()
