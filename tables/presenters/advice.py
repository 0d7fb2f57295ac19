"""Presents what the seat to move may do, and what a bot would do in its place."""

from typing import Any

from rules.mexican_train.bots.words import sentence
from rules.mexican_train.explaining import Verdict
from tables import thinking
from tables.presenters.mexican_train.moves import present_move
from tables.snapshots import Snapshot
from tables.translating import translated


def present_explanation(snapshot: Snapshot) -> dict[str, Any]:
    """Present every tile of the seat to move on every train, and its other moves: legal, or the reason why not."""
    assert snapshot.state is not None
    return {
        "table": str(snapshot.id),
        "number": snapshot.next_number,
        "seat": snapshot.turn,
        "moves": [present_verdict(each) for each in snapshot.rules.explain(snapshot.state)],
    }


def present_verdict(verdict: Verdict) -> dict[str, Any]:
    shown = present_move(verdict.move) | {"legal": verdict.reason is None}
    if verdict.reason is None:
        return shown
    why = {"reason": verdict.reason, "detail": translated(verdict.reason.sentence), "option": verdict.option}
    return shown | why


def present_hint(snapshot: Snapshot, level: str) -> dict[str, Any]:
    """Present what a bot of this level would do with the view of the seat to move, and why, in one sentence."""
    view, choice = thinking.advice(snapshot, level)
    names = {seat.number: seat.name for seat in snapshot.seats if seat.name}
    return {
        "table": str(snapshot.id),
        "number": snapshot.next_number,
        "level": level,
        **present_move(choice.move),
        "why": translated(sentence(view, choice, names)),
    }
