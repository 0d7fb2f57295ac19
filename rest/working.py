"""The limit on how many API requests a web process works on at once."""

import threading
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase
from django.utils.translation import gettext_noop as N_

from rest.paths import is_for_api
from rest.problem_documents import plain_response
from rest.problems import Unavailable

PATIENCE = 0.5
"""Seconds that a request waits for a place before it is refused."""
COME_BACK = 2
"""Seconds after which a refused client should try again."""


class Places:
    """Places for requests at work, and a queue of threads that wait for one; the first in the queue gets the next."""

    def __init__(self, places: int, queue: int) -> None:
        self._free = places
        self._queue = queue
        self._waiting: deque[threading.Lock] = deque()
        self._lock = threading.Lock()
        self._mine = threading.local()

    @property
    def free(self) -> int:
        return self._free

    def take(self, seconds: float) -> bool:
        """Wait for a place. False if the queue is full, or if no place is free in time."""
        with self._lock:
            if self._free:
                self._free -= 1
                self._mine.is_held = True
                return True
            if len(self._waiting) >= self._queue:
                return False
            turn = self._line_up()
        self._mine.is_held = turn.acquire(timeout=seconds) or not self._has_left(turn)
        return bool(self._mine.is_held)

    def give(self) -> None:
        """Give this thread's place to the first in the queue."""
        self._mine.is_held = False
        with self._lock:
            if self._waiting:
                self._waiting.popleft().release()
            else:
                self._free += 1

    @contextmanager
    def lent(self) -> Iterator[None]:
        """Give this thread's place to others meanwhile. Afterwards wait for a place again, without a limit."""
        is_held = getattr(self._mine, "is_held", False)
        if is_held:
            self.give()
        try:
            yield
        finally:
            if is_held:
                self._take_again()

    def _take_again(self) -> None:
        with self._lock:
            turn = None if self._free else self._line_up()
            self._free -= turn is None
        if turn is not None:
            turn.acquire()
        self._mine.is_held = True

    def _line_up(self) -> threading.Lock:
        turn = threading.Lock()
        turn.acquire()
        self._waiting.append(turn)
        return turn

    def _has_left(self, turn: threading.Lock) -> bool:
        """Leave the queue. False if a place was handed over at the last moment."""
        with self._lock:
            if turn not in self._waiting:
                return False
            self._waiting.remove(turn)
        return True


PLACES = Places(settings.WORKING_REQUESTS, settings.QUEUED_REQUESTS)
"""The places of this process."""


class TooBusy(Unavailable):
    detail = N_("The server is too busy; try again in a moment.")
    wait = COME_BACK


class WorkLimit:
    """Middleware: refuses API requests with 503 while too many are at work, so that the others are answered soon.

    It comes after ``BodyLimit``, which reads the bodies, so a slow sender takes no place. Pages and health checks need
    none. A stream gives its place back before it sends the first event.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if not is_for_api(request):
            return self.get_response(request)
        if not PLACES.take(PATIENCE):
            return plain_response(TooBusy())
        try:
            return self.get_response(request)
        finally:
            PLACES.give()
