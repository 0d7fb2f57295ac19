"""What a change of a table is told as: public facts, one event for each version, written with the change itself."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from tables.models import Event, EventKind, Status, Table

TOLD_OF_A_TABLE = (
    "name",
    "status",
    "host",
    "preset",
    "options",
    "seats",
    "visibility",
    "invite",
    "spectators",
    "turn_seconds",
    "on_timeout",
    "clock_proposal",
    "on_leave",
    "bot_delay_ms",
    "auto_pass",
    "stall_minutes",
    "hints",
    "winners",
    "ended_reason",
    "next_table",
    "deadline",
)
"""What an event may name as changed. Everybody is told that it has; the invite itself is for members to look up."""


@dataclass(frozen=True, slots=True)
class Told:
    """One event to come. ``data`` holds what no other row says; a move or a result is told by its number."""

    kind: EventKind
    data: dict[str, Any]


def moved(number: int, turn: int | None) -> Told:
    """A move at this place in the log; ``turn`` is the seat to move after it, ``None`` if the round is over."""
    return Told(EventKind.MOVE, {"number": number, "turn": turn})


def round_dealt(number: int) -> Told:
    return Told(EventKind.ROUND, {"what": "dealt", "round": number})


def round_ended(number: int) -> Told:
    return Told(EventKind.ROUND, {"what": "ended", "round": number})


def seat_changed(number: int, player: UUID | None, *, is_away: bool, is_forfeited: bool) -> Told:
    """Who sits there, by id: a name may be forgotten later."""
    facts = {"seat": number, "player": player and str(player), "away": is_away, "forfeited": is_forfeited}
    return Told(EventKind.SEAT, facts)


def table_changed(table: Table, changed: Iterable[str]) -> Told:
    """The table's own fields, as they are after the change; a client that shows more of them looks at the table."""
    facts = {"status": table.status, "host": table.host_id and str(table.host_id), "winners": table.winners}
    reason = {"ended_reason": table.ended_reason or None}
    return Told(EventKind.TABLE, {"changed": names_told(changed), **facts, **reason})


def keep_first(table: Table) -> None:
    """That the table is there is what its first version tells."""
    assert table.version == 1
    keep(table.id, 0, [table_changed(table, ["status"])])


def next_table_opened(table: Table, following: Table) -> Told:
    told = table_changed(table, ["next_table"])
    return Told(told.kind, told.data | {"next_table": str(following.id)})


def next_table_ended(table: Table) -> Told:
    """The next table is none any more, so it is not named: it ended without being played."""
    return table_changed(table, ["next_table"])


def match_started(host: UUID | None) -> Told:
    """The same for the start of a match, which the playing path writes without the table's model."""
    facts = {"status": Status.PLAYING, "host": host and str(host), "winners": None, "ended_reason": None}
    return Told(EventKind.TABLE, {"changed": ["status"], **facts})


def match_ended(host: UUID | None, ending: dict[str, Any]) -> Told:
    """The same for the end of a match."""
    facts = {name: ending[name] for name in ("status", "winners", "ended_reason")}
    return Told(EventKind.TABLE, {"changed": names_told(facts), "host": host and str(host), **facts})


def names_told(changed: Iterable[str]) -> list[str]:
    return [name for name in TOLD_OF_A_TABLE if name in set(changed)]


def keep(table: UUID, version: int, told: Sequence[Told]) -> int:
    """Write down what follows ``version`` of a locked table, and return the version that it has then."""
    Event.objects.bulk_create(
        Event(table_id=table, version=version + at, kind=each.kind, data=each.data) for at, each in enumerate(told, 1)
    )
    return version + len(told)
