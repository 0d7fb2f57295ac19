"""Matches for tests: begun in one line, arranged tile by tile, moved on without HTTP, and read back from the log."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from django.utils import timezone

from rules.mexican_train.bots import choose
from rules.mexican_train.moves import Move
from rules.mexican_train.state import State
from rules.mexican_train.view import view_for
from rules.tiles import Tile, double_set, set_of
from tables import play, repository, snapshots
from tables.models import Hand, Round, Table
from tables.snapshots import Snapshot
from tests.cast import Answer, Caller, fill_seats, open_table, start

SMALL = {"set_max_pip": 6, "hand_sizes": {"2": 3, "3": 3, "4": 3}, "rounds": 2}
"""A double-six set, three tiles each, two rounds: everything a match has, in a few moves."""


def begin(host: Caller, *others: Caller, options: dict[str, Any] = SMALL, **fields: Any) -> dict[str, Any]:
    """A running match: the host, the others, and the bots that the fields name.

    ``auto_pass`` is switched on afterwards, so that nobody is passed before the tiles are arranged.
    """
    spares_the_stuck = fields.pop("auto_pass", False)
    fields.setdefault("seats", 1 + len(others) + len(fields.get("bots", ())))
    table = open_table(host, options=options, **fields)
    fill_seats(table, *others)
    start(table, host)
    Table.objects.filter(pk=table["id"]).update(auto_pass=spares_the_stuck)
    return table


def bots(*seats: int, level: str = "easy") -> list[dict[str, Any]]:
    return [{"seat": seat, "level": level} for seat in seats]


def snapshot(table: dict[str, Any]) -> Snapshot:
    found = repository.load(UUID(table["id"]))
    assert found is not None
    return found


def state(table: dict[str, Any]) -> State:
    found: State | None = snapshot(table).state
    assert found is not None
    return found


def arrange(table: dict[str, Any], *hands: str, boneyard: str = "") -> None:
    """Give the round that has just been dealt these hands, and these tiles first in the boneyard."""
    now = snapshot(table)
    assert now.round is not None
    dealt = [snapshots.tiles_from(hand) for hand in hands]
    named = [tile for hand in dealt for tile in hand] + snapshots.tiles_from(boneyard)
    order = [*named, *(tile for tile in double_set(now.options.set_max_pip) if tile not in named)]
    put_order(now.round.id, order, dealt)
    assert state(table).hands == [set_of(hand) for hand in dealt]


def put_order(round_id: int, order: Sequence[Tile], hands: Sequence[Sequence[Tile]]) -> None:
    """Write another deal into the rows of a round."""
    Round.objects.filter(pk=round_id).update(order=snapshots.tiles_to(order))
    for row, tiles in zip(Hand.objects.filter(round=round_id).order_by("seat__number"), hands, strict=True):
        Hand.objects.filter(pk=row.pk).update(tiles=snapshots.tiles_to(sorted(tiles)))


def send(table: dict[str, Any], caller: Caller, move: str, number: int, **more: Any) -> Answer:
    return caller.post(f"tables/{table['id']}/moves", {"move": move, "number": number, **more})


def heaviest(now: Snapshot) -> Move:
    assert now.state is not None
    return choose("easy", view_for(now.state, now.turn), lambda _: 0)


def step(table: dict[str, Any], at: datetime | None = None) -> None:
    """One move of the seat to move."""
    now, at = snapshot(table), at or timezone.now()
    seat = play.mover(now)
    if seat.level is None:
        play.submit_move(now.id, seat.player, heaviest(now), now.next_number, at)
    else:
        assert play.submit_bot_move(now.id, now.next_number, heaviest(now), at)


def play_round(table: dict[str, Any]) -> None:
    """Move on until the round is over."""
    rounds_played = snapshot(table).rounds_played
    while (now := snapshot(table)).is_playing and now.rounds_played == rounds_played:
        step(table)


def play_match(table: dict[str, Any]) -> None:
    while snapshot(table).is_playing:
        step(table)


def timeless(shown: dict[str, Any]) -> dict[str, Any]:
    """A position without ``server_time``, which differs in each answer."""
    return shown | {"turn": shown["turn"] and shown["turn"] | {"server_time": None}}
