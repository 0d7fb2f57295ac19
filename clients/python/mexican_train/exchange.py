"""One call until it is answered: when to send it again, and after what pause. No I/O is done here.

``exchange`` is a generator. It yields what is to be done, ``Sending`` or ``Pause``; whoever drives it sends the
response in, or throws the error of the transport. So both clients, and the tests, share every decision.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Generator
from dataclasses import dataclass, replace
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from itertools import count
from typing import TypeVar, cast

import httpx

from mexican_train.calls import Call
from mexican_train.errors import BadAnswer, MexicanTrainError, ProblemError, Unreachable, refusal
from mexican_train.reading import Unreadable

T = TypeVar("T")
PASSING = frozenset({429, 502, 503, 504})
"""Statuses that are worth asking again for."""
IN_DOUBT = frozenset({502, 504})
"""Those of them after which the request may have arrived all the same."""
NEVER_SENT = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout, httpx.ProxyError)
LONGEST_AWAY = 30.0
"""Seconds of the longest pause of whoever waits for a server to be back."""
HOPELESS = (httpx.UnsupportedProtocol, httpx.LocalProtocolError)


@dataclass(frozen=True)
class Patience:
    """How long a call is tried, in seconds: each wait for the server, all of it, the first pause and the longest.

    Pauses double, and are cut by up to a half at random, so that many clients do not come back at once. The server's
    ``Retry-After`` is heeded; where it is longer than what is left of ``total``, the refusal is raised at once.

    ``away`` is for ``follow`` and ``events`` once they have had an answer: for how long they try to reach the server
    again, with pauses of up to half a minute; ``math.inf`` is for ever.
    """

    timeout: float = 10
    total: float = 30
    attempts: int = 8
    first: float = 0.25
    most: float = 8
    away: float = 600

    @property
    def while_away(self) -> Patience:
        """Of whoever goes on from call to call, and was answered before."""
        return replace(self, total=self.away, attempts=sys.maxsize, most=max(self.most, LONGEST_AWAY))

    def pause(self, attempt: int, chance: float) -> float:
        """Before attempt ``attempt + 1``; ``chance`` is from 0 to 1."""
        return min(self.most, self.first * 2.0 ** min(attempt - 1, 30)) * (1 - chance / 2)


@dataclass(frozen=True)
class Sending:
    """To be done: send the call, and wait at most so many seconds for its answer."""

    timeout: float


@dataclass(frozen=True)
class Pause:
    """To be done: nothing, for so many seconds."""

    seconds: float


Steps = Generator[Sending | Pause, httpx.Response | None, T]


def exchange(call: Call[T], patience: Patience, now: Callable[[], float], chance: Callable[[], float]) -> Steps[T]:
    """Returns the answer. Raises a ``ProblemError``, ``Unreachable`` or ``BadAnswer``."""
    until = now() + call.waits + patience.total
    may_be_done = False
    for attempt in count(1):
        failure: MexicanTrainError
        left = max(until - now(), 0.001)
        try:
            response = yield Sending(min(call.waits + patience.timeout, left))
            assert response is not None
        except httpx.DecodingError as garbled:
            raise BadAnswer(f"{call.method} {call.path}: {garbled}") from garbled
        except httpx.RequestError as lost:
            failure = Unreachable(f"{call.method} {call.path}: {type(lost).__name__} {lost}")
            failure.__cause__ = lost
            is_passing = not isinstance(lost, HOPELESS)
            may_be_done |= not isinstance(lost, NEVER_SENT)
        else:
            if response.is_success or response.status_code == httpx.codes.NOT_MODIFIED:
                return answer_of(call, response)
            failure = failure_of(response)
            if may_be_done and isinstance(failure, ProblemError) and failure.code in call.already:
                return cast("T", None)
            is_passing = response.status_code in PASSING
            may_be_done |= response.status_code in IN_DOUBT
        pause = max(failure.retry_after or 0, patience.pause(attempt, chance()))
        if not is_passing or attempt >= patience.attempts or now() + pause >= until:
            raise failure
        yield Pause(pause)
    raise AssertionError("count does not end")


def answer_of(call: Call[T], response: httpx.Response) -> T:
    try:
        return call.read(response)
    except ValueError as error:  # also of JSON that is none
        raise BadAnswer(f"{call.method} {call.path}: {error}") from error


def failure_of(response: httpx.Response) -> MexicanTrainError:
    """The problem that the server tells, or what somebody in between has answered."""
    try:
        return refusal(response.json(), retry_after(response))
    except (Unreadable, ValueError):
        what = f"{response.status_code} {response.reason_phrase}"
        return BadAnswer(f"{what} is no answer of this API", retry_after(response))


def retry_after(response: httpx.Response) -> float | None:
    """The seconds of a ``Retry-After``, which may be a date."""
    told = response.headers.get("Retry-After", "").strip()
    if told.isascii() and told.isdigit():
        return float(told)
    try:
        return max(0.0, (parsedate_to_datetime(told) - datetime.now(timezone.utc)).total_seconds())
    except (TypeError, ValueError):
        return None
