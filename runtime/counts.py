"""Counts per time window: in Redis for all processes together, or in this process while Redis is away."""

from threading import Lock

from redis import Redis

from runtime import redis_commands

MOST_KEYS = 10_000
"""How many counts a process keeps while Redis is away; beyond that the oldest are dropped."""


class OwnCounts:
    """Counts of this process only."""

    def __init__(self) -> None:
        self.counts: dict[str, int] = {}
        self.lock = Lock()

    def add(self, key: str, amount: int) -> int:
        with self.lock:
            self.counts[key] = counted = self.counts.get(key, 0) + amount
            while len(self.counts) > MOST_KEYS:
                del self.counts[next(iter(self.counts))]
        return counted


OWN = OwnCounts()


class Leases:
    """Uses that this process has reserved from the shared counts.

    It reserves 1/200 of the limit at a time, and at least one use. If several processes serve one caller, each may
    hold unused reservations, so that the caller is refused that much too early. ``otherwise`` is the text for the log
    that says what happens while Redis is away.
    """

    PART = 200

    def __init__(self, otherwise: str) -> None:
        self.otherwise = otherwise
        self.left: dict[str, int] = {}
        self.lock = Lock()

    def take(self, key: str, most: int, seconds: int) -> bool:
        """Take one use. Returns whether it is within the limit ``most``; always true while Redis is away."""
        with self.lock:
            if left := self.left.get(key):
                self.left[key] = left - 1
                return True
        wanted = max(1, most // self.PART)
        counted = add(key, wanted, seconds, self.otherwise)
        if counted is None:
            return True
        granted = min(wanted, most - (counted - wanted))
        if granted > 1:
            self.keep(key, granted - 1)
        return granted > 0

    def keep(self, key: str, uses: int) -> None:
        with self.lock:
            self.left[key] = self.left.pop(key, 0) + uses
            while len(self.left) > MOST_KEYS:
                del self.left[next(iter(self.left))]


def add(key: str, amount: int, seconds: int, otherwise: str) -> int | None:
    """Add to a count that expires after ``seconds``, and return the count; ``None`` while Redis is away.

    ``otherwise`` is the text for the log that says what happens then.
    """
    return redis_commands.ask(lambda counters: add_in(counters, key, amount, seconds), otherwise)


def add_in(counters: Redis, key: str, amount: int, seconds: int) -> int:
    counted = int(counters.incrby(key, amount))
    if counted == amount:
        counters.expire(key, seconds + 1)
    return counted


def add_always(key: str, amount: int, seconds: int) -> int:
    """Like ``add``, for limits that must always hold: while Redis is away, each process counts for itself."""
    counted = add(key, amount, seconds, "each process counts for itself")
    return OWN.add(key, amount) if counted is None else counted
