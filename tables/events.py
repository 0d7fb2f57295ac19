"""The events of a table: public facts, one event for each version, written together with the change."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from tables.models import SETTINGS, Event, EventKind, Status, Table

EVENT_FIELDS = (
    *("status", "host", "preset", "options", "seats", "invite", "clock_proposal"),
    *SETTINGS,
    *("winners", "ended_reason", "next_table", "deadline"),
)
"""The fields that an event may name as changed.

Everybody learns that the invite has changed, but only members can read the new one.
"""


@dataclass(frozen=True, slots=True)
class NewEvent:
    """An event to be written.

    ``data`` holds only facts that no other row has: a move or a result is given by its number.
    """

    kind: EventKind
    data: dict[str, Any]


def moved(number: int, turn: int | None) -> NewEvent:
    """Return the event of a move at this place in the log.

    ``turn`` is the seat to move next, ``None`` if the round is over.
    """
    return NewEvent(EventKind.MOVE, {"number": number, "turn": turn})


def round_dealt(number: int) -> NewEvent:
    return NewEvent(EventKind.ROUND, {"what": "dealt", "round": number})


def round_ended(number: int) -> NewEvent:
    return NewEvent(EventKind.ROUND, {"what": "ended", "round": number})


def seat_changed(number: int, player: UUID | None, *, is_away: bool, is_forfeited: bool) -> NewEvent:
    """Return the event of a change at a seat. It names the player by id, because the name may be forgotten later."""
    facts = {"seat": number, "player": player and str(player), "away": is_away, "forfeited": is_forfeited}
    return NewEvent(EventKind.SEAT, facts)


def table_changed(table: Table, changed: Iterable[str]) -> NewEvent:
    """Return the event of changed table fields.

    It has the main values after the change. Clients load the table for the other fields.
    """
    facts = {name: getattr(table, name) for name in ("status", "host_id", "winners", "ended_reason")}
    return table_event(changed, facts)


def table_event(changed: Iterable[str], facts: Mapping[str, Any]) -> NewEvent:
    """Return the event of changed table fields, with these values after the change."""
    host, reason = facts["host_id"], facts["ended_reason"] or None
    return NewEvent(
        EventKind.TABLE,
        {
            "changed": fields_in_events(changed),
            "status": facts["status"],
            "host": host and str(host),
            "winners": facts["winners"],
            "ended_reason": reason,
        },
    )


def keep_first(table: Table) -> None:
    """Write the event of a new table's first version."""
    assert table.version == 1
    keep(table.id, 0, [table_changed(table, ["status"])])


def next_table_opened(table: Table, following: Table) -> NewEvent:
    new_events = table_changed(table, ["next_table"])
    return NewEvent(new_events.kind, new_events.data | {"next_table": str(following.id)})


def next_table_ended(table: Table) -> NewEvent:
    """Return the event of a rematch that ended unplayed. It names no next table, because there is none any more."""
    return table_changed(table, ["next_table"])


def changed_in_match(host: UUID | None, columns: Mapping[str, Any], changed: Iterable[str]) -> NewEvent:
    """Return the event of these changed columns of a match.

    ``columns`` are all that have changed since the match had this host and was neither over nor cancelled.
    """
    facts = {"status": Status.PLAYING, "host_id": host, "winners": None, "ended_reason": None, **columns}
    return table_event([name.removesuffix("_id") for name in changed], facts)


def fields_in_events(changed: Iterable[str]) -> list[str]:
    return [name for name in EVENT_FIELDS if name in set(changed)]


def keep(table: UUID, version: int, new_events: Sequence[NewEvent]) -> int:
    """Write the events that follow ``version`` of a locked table. Returns the table's new version."""
    Event.objects.bulk_create(
        Event(table_id=table, version=version + at, kind=each.kind, data=each.data)
        for at, each in enumerate(new_events, 1)
    )
    return version + len(new_events)
