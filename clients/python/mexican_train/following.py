"""A stream of events across its connections: where it is, when it is over, and when to connect again. No I/O here."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import httpx
from httpx_sse import ServerSentEvent, SSEError

from mexican_train.answers import (
    Event,
    Missed,
    Moved,
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
"""Seconds without a byte after which a connection is taken for lost: the server says something every 15."""
FINAL = frozenset({"finished", "cancelled", "hidden"})
READERS: dict[str, Callable[[Any], Event]] = {
    "move": one(Moved),
    "round ended": one(RoundEnded),
    "round dealt": one(RoundDealt),
    "seat": one(SeatChanged),
    "table": one(TableChanged),
    "warn": one(Warned),
}
WITHOUT_VERSION = frozenset({"warn"})


@dataclass
class Following:
    """One stream. ``version`` is the last that was told, or ``None``: look at the position first."""

    path: str
    version: int | None
    patience: Patience
    now: Callable[[], float]
    chance: Callable[[], float]
    is_over: bool = False
    is_cut: bool = False
    has_begun: bool = False
    has_answered: bool = False
    base: float = 1.0
    failures: int = 0
    failing_since: float | None = None
    timeout: httpx.Timeout = field(init=False)

    def __post_init__(self) -> None:
        self.timeout = httpx.Timeout(self.patience.timeout, read=SILENCE)
        self.has_begun = self.version is not None

    @property
    def patience_now(self) -> Patience:
        """A server that has never answered is given up as by any call."""
        return self.patience.while_away if self.has_answered else self.patience

    @property
    def headers(self) -> Mapping[str, str]:
        return {
            "Accept": "text/event-stream",
            "Cache-Control": "no-store",
            "Last-Event-ID": "" if self.version is None else str(self.version),
        }

    def begin_at(self, position: Position) -> Missed | None:
        """Everything after this position is to follow. If something went before, there is a gap to tell of."""
        is_gap, self.has_begun, self.version = self.has_begun, True, position.version
        self.has_answered = True
        return Missed(version=position.version, position=position) if is_gap else None

    def is_open(self, response: httpx.Response) -> bool:
        """Whether events are to come. Raises a refusal, whose body has been read; one that will pass as ``Passing``."""
        self.is_cut = False
        if response.is_success:
            self.failures, self.failing_since, self.has_answered = 0, None, True
            self.is_over = response.status_code == httpx.codes.NO_CONTENT  # nothing lies after the last version
            return not self.is_over
        failure = failure_of(response)
        if response.status_code in PASSING:
            raise Passing(failure)
        raise failure

    def take(self, said: ServerSentEvent) -> Event | None:
        """The event that is new, if this is one. Of what was told already, and of kinds not known here, nothing."""
        if said.retry is not None:
            self.base = said.retry / 1000
        if not said.data:
            return None
        told = self.read(said)
        if said.event == "end":
            self.end(told.get("reason"))
            return None
        if said.event in WITHOUT_VERSION:
            return self.event_of(said.event, told)
        version = told.get("version")
        if not isinstance(version, int) or (self.version is not None and version <= self.version):
            return None
        self.version = version
        return self.event_of(said.event, told)

    def read(self, said: ServerSentEvent) -> dict[str, Any]:
        try:
            told = json.loads(said.data)
        except ValueError:
            told = None
        if not isinstance(told, dict):
            raise BadAnswer(f"{self.path}: the data of an event is no object")
        return told

    def event_of(self, name: str, told: dict[str, Any]) -> Event | None:
        reader = READERS.get(f"round {told.get('what')}" if name == "round" else name)
        try:
            return reader(told) if reader else None
        except Unreadable as error:
            raise BadAnswer(f"{self.path}: {error}") from error

    def end(self, reason: Any) -> None:
        """Over, or cut: then the next connection goes on from here, or from a fresh look."""
        self.is_over, self.is_cut = reason in FINAL, True
        if reason == "too_old":
            self.version = None

    def lost(self, failure: Exception | None) -> float:
        """How long to pause before connecting again. Raises when that has been in vain for too long."""
        if failure is None:  # it ended after having been open: that is no failure
            return self.base * (1 - self.chance() / 2)
        if isinstance(failure, (SSEError, httpx.DecodingError)):
            raise BadAnswer(f"{self.path}: {failure}") from failure
        self.failures += 1
        self.failing_since = self.now() if self.failing_since is None else self.failing_since
        patience = self.patience_now
        asked = (failure.told.retry_after or 0.0) if isinstance(failure, Passing) else 0.0
        pause = max(asked, self.base * self.chance(), patience.pause(self.failures, self.chance()))
        if self.now() + pause - self.failing_since >= patience.total or isinstance(failure, HOPELESS):
            raise failure.told if isinstance(failure, Passing) else Unreachable(f"{self.path}: {failure}") from failure
        return pause


class Passing(Exception):
    """A refusal that will pass; told when it does not."""

    def __init__(self, told: MexicanTrainError) -> None:
        super().__init__(str(told))
        self.told = told
