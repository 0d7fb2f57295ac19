"""Decides for one call when to send it again, and after what pause. No I/O is done here.

``exchange`` is a generator. It yields the next step, ``Sending`` or ``Pause``. The client performs the step, and sends
the response into the generator or throws the transport's error into it. So both clients and the tests share this code.
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
"""Statuses after which a call is sent again."""
IN_DOUBT = frozenset({502, 504})
"""Those after which the server may have executed the request nevertheless."""
NEVER_SENT = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout, httpx.ProxyError)
LONGEST_AWAY = 30.0
"""The longest pause, in seconds, while ``follow`` and ``events`` wait for the server to return."""
HOPELESS = (httpx.UnsupportedProtocol, httpx.LocalProtocolError)


@dataclass(frozen=True)
class Patience:
    """How long a call is tried. All times are in seconds.

    ``timeout`` limits each wait for an answer, ``total`` the whole call, ``attempts`` the number of attempts. ``first``
    is the first pause, ``most`` the longest. Pauses double, and are shortened by up to a half at random, so that many
    clients do not return at once. A pause is at least the server's ``Retry-After``; if that is longer than the rest of
    ``total``, the error is raised at once.

    ``away`` is how long ``follow`` and ``events`` try to reach the server again after they have had an answer, with
    pauses of up to half a minute. ``math.inf`` means for ever.
    """

    timeout: float = 10
    total: float = 30
    attempts: int = 8
    first: float = 0.25
    most: float = 8
    away: float = 600

    @property
    def while_away(self) -> Patience:
        """The limits for ``follow`` and ``events`` after they have had an answer."""
        return replace(self, total=self.away, attempts=sys.maxsize, most=max(self.most, LONGEST_AWAY))

    def pause(self, attempt: int, chance: float) -> float:
        """Return the pause before attempt ``attempt + 1``. ``chance`` is a random number from 0 to 1."""
        return min(self.most, self.first * 2.0 ** min(attempt - 1, 30)) * (1 - chance / 2)


@dataclass(frozen=True)
class Sending:
    """A step: send the call, and wait at most ``timeout`` seconds for the answer."""

    timeout: float


@dataclass(frozen=True)
class Pause:
    """A step: wait for so many seconds."""

    seconds: float


Steps = Generator[Sending | Pause, httpx.Response | None, T]


def exchange(call: Call[T], patience: Patience, now: Callable[[], float], chance: Callable[[], float]) -> Steps[T]:
    """Yield the steps of a call and return its answer. Raises a ``ProblemError``, ``Unreachable`` or ``BadAnswer``."""
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
    except ValueError as error:  # invalid JSON too
        raise BadAnswer(f"{call.method} {call.path}: {error}") from error


def failure_of(response: httpx.Response) -> MexicanTrainError:
    """Return the error for the server's problem document, or ``BadAnswer`` for another answer, such as a proxy's."""
    try:
        return refusal(response.json(), retry_after(response))
    except (Unreadable, ValueError):
        what = f"{response.status_code} {response.reason_phrase}"
        return BadAnswer(f"{what} is not an answer of this API", retry_after(response))


def retry_after(response: httpx.Response) -> float | None:
    """Return the seconds of a ``Retry-After`` header, which may also be a date."""
    delay = response.headers.get("Retry-After", "").strip()
    if delay.isascii() and delay.isdigit():
        return float(delay)
    try:
        return max(0.0, (parsedate_to_datetime(delay) - datetime.now(timezone.utc)).total_seconds())
    except (TypeError, ValueError):
        return None
