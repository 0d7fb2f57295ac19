"""The state of an event stream across several connections. It decides when to connect again. No I/O is done here."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Generic, TypeVar

import httpx
from httpx_sse import ServerSentEvent, SSEError

from mexican_train.answers import (
    Event,
    Missed,
    Moved,
    MyTableChanged,
    Position,
    RoundDealt,
    RoundEnded,
    SeatChanged,
    TableChanged,
    Warned,
)
from mexican_train.errors import BadAnswer, MexicanTrainError, Unreachable
from mexican_train.exchange import HOPELESS, PASSING, Patience, failure_of
from mexican_train.reading import Unreadable, one

SILENCE = 45.0
"""Seconds without a byte after which a connection counts as lost. The server sends something every 15 seconds."""
FINAL = frozenset({"finished", "cancelled", "hidden"})
READERS: dict[str, Callable[[Any], Event]] = {
    "move": one(Moved),
    "round ended": one(RoundEnded),
    "round dealt": one(RoundDealt),
    "seat": one(SeatChanged),
    "table": one(TableChanged),
    "warn": one(Warned),
}
E_co = TypeVar("E_co", covariant=True)


@dataclass(kw_only=True)
class Stream(ABC, Generic[E_co]):
    """The common part of both kinds of stream: its connections, its failures and its end."""

    names: ClassVar[frozenset[str]]
    """Events whose data must be a JSON object. Others come from a newer server and are ignored."""
    path: str
    query: Mapping[str, Any] = field(default_factory=dict)
    patience: Patience
    now: Callable[[], float]
    chance: Callable[[], float]
    is_over: bool = False
    is_cut: bool = False
    has_answered: bool = False
    base: float = 1.0
    failures: int = 0
    failing_since: float | None = None
    timeout: httpx.Timeout = field(init=False)

    def __post_init__(self) -> None:
        self.timeout = httpx.Timeout(self.patience.timeout, read=SILENCE)

    @property
    @abstractmethod
    def last_id(self) -> str:
        """The id of the last event; empty before the first."""

    @abstractmethod
    def event_of(self, said: ServerSentEvent, data: dict[str, Any]) -> E_co | None:
        """Return the event, if it is new and of a known kind. Remembers its place. Raises ``Unreadable``."""

    @abstractmethod
    def end(self, reason: Any) -> None:
        """Handle the server's end of this connection: set ``is_over`` if the stream is over too."""

    @property
    def patience_now(self) -> Patience:
        """The limits to use now. A server that has never answered is given up as early as by any call."""
        return self.patience.while_away if self.has_answered else self.patience

    @property
    def headers(self) -> Mapping[str, str]:
        return {"Accept": "text/event-stream", "Cache-Control": "no-store", "Last-Event-ID": self.last_id}

    def is_open(self, response: httpx.Response) -> bool:
        """Whether this response is a stream of events. The body of an error must have been read.

        Raises the error that the server answered, or ``Passing`` if a later attempt may succeed.
        """
        self.is_cut = False
        if response.is_success:
            self.failures, self.failing_since, self.has_answered = 0, None, True
            self.is_over = response.status_code == httpx.codes.NO_CONTENT  # no event can follow the last version
            return not self.is_over
        failure = failure_of(response)
        if response.status_code in PASSING:
            raise Passing(failure)
        raise failure

    def take(self, said: ServerSentEvent) -> E_co | None:
        """Return the event if it is new; ``None`` for a repeated event and for unknown kinds. Raises ``BadAnswer``."""
        if said.retry is not None:
            self.base = said.retry / 1000
        data = self.read(said) if said.data else {}
        if said.event == "end":
            self.is_cut = True
            self.end(data.get("reason"))
            return None
        try:
            return self.event_of(said, data)
        except Unreadable as error:
            raise BadAnswer(f"{self.path}: {error}") from error

    def read(self, said: ServerSentEvent) -> dict[str, Any]:
        try:
            data = json.loads(said.data)
        except ValueError:
            data = None
        if isinstance(data, dict):
            return data
        if said.event not in self.names:
            return {}
        raise BadAnswer(f"{self.path}: the data of an event is not an object")

    def lost(self, failure: Exception | None) -> float:
        """Return the seconds to pause before the next connection. Raises the failure if it has lasted too long."""
        if failure is None:  # the connection was open before it ended
            return self.base * (1 - self.chance() / 2)
        if isinstance(failure, (SSEError, httpx.DecodingError)):
            raise BadAnswer(f"{self.path}: {failure}") from failure
        self.failures += 1
        self.failing_since = self.now() if self.failing_since is None else self.failing_since
        patience = self.patience_now
        asked = (failure.error.retry_after or 0.0) if isinstance(failure, Passing) else 0.0
        pause = max(asked, self.base * self.chance(), patience.pause(self.failures, self.chance()))
        if self.now() + pause - self.failing_since >= patience.total or isinstance(failure, HOPELESS):
            raise failure.error if isinstance(failure, Passing) else Unreachable(f"{self.path}: {failure}") from failure
        return pause


@dataclass(kw_only=True)
class Following(Stream[Event]):
    """The events of one table. ``version`` is the last event's. With ``None`` the client gets the position first."""

    names = frozenset({"move", "round", "seat", "table", "warn", "end"})
    version: int | None
    has_begun: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        self.has_begun = self.version is not None

    @property
    def last_id(self) -> str:
        return "" if self.version is None else str(self.version)

    def begin_at(self, position: Position) -> Missed | None:
        """Begin with the events after this position. Returns ``Missed`` if the stream had begun before."""
        is_gap, self.has_begun, self.version = self.has_begun, True, position.version
        self.has_answered = True
        return Missed(version=position.version, position=position) if is_gap else None

    def event_of(self, said: ServerSentEvent, data: dict[str, Any]) -> Event | None:
        if said.event == "warn":  # this event has no version
            return READERS["warn"](data)
        version = data.get("version")
        if not isinstance(version, int) or (self.version is not None and version <= self.version):
            return None
        self.version = version
        reader = READERS.get(f"round {data.get('what')}" if said.event == "round" else said.event)
        return reader(data) if reader else None

    def end(self, reason: Any) -> None:
        """Set ``is_over``, or let the next connection continue after the last event, or after a new position."""
        self.is_over = reason in FINAL
        if reason == "too_old":
            self.version = None


@dataclass(kw_only=True)
class MyFollowing(Stream[MyTableChanged]):
    """The events of all the caller's tables. ``since`` is the opaque id of the last event; if empty, from now on."""

    names = frozenset({"table", "end"})
    since: str

    @property
    def last_id(self) -> str:
        return self.since

    def event_of(self, said: ServerSentEvent, data: dict[str, Any]) -> MyTableChanged | None:
        """Also take an id that comes without an event, so that the stream can be resumed before the first event."""
        self.since = said.id or self.since
        return replace(one(MyTableChanged)(data), id=self.since) if said.event == "table" else None

    def end(self, reason: Any) -> None:
        """Do nothing: this stream is never over. If the token was revoked, the next connection is refused."""


class Passing(Exception):
    """An error after which the client connects again. ``data`` is raised if later attempts fail too."""

    def __init__(self, data: MexicanTrainError) -> None:
        super().__init__(str(data))
        self.error = data
