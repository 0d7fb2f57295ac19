"""Presents what the seat to move may do, and what a bot would do in its place."""

from typing import Annotated, Any, Literal, NotRequired, TypedDict

from rest.answers import Id
from rest.texts import described
from rules.game import Verdict
from tables import thinking
from tables.presenters.games import presenter_of
from tables.presenters.mexican_train.moves import LegalMove
from tables.presenters.values import REASONS, Level
from tables.snapshots import Snapshot
from tables.translating import translated


@described("A move, and why it is illegal. `option` is the option that decides, if there is one.")
class VerdictAnswer(LegalMove):
    legal: Annotated[bool, "Whether the rules allow the move."]
    reason: NotRequired[Annotated[str, Literal[REASONS], "Why the move is illegal."]]
    detail: NotRequired[Annotated[str, "The reason as a sentence, in the language of the request."]]
    option: NotRequired[
        Annotated[str | None, "The option with which the move would be legal; `null` if there is none."]
    ]


@described("Every tile of the seat to move on every train, then `draw`, `pass`, `end` and `announce`.")
class ExplanationAnswer(TypedDict):
    table: Annotated[Id, "The table's id."]
    number: Annotated[int, "The number that the next move has in the log."]
    seat: Annotated[int, "The seat to move."]
    moves: Annotated[list[VerdictAnswer], "The moves, legal or not."]


@described("A legal move, and in one sentence why a bot of this level would make it.")
class HintAnswer(LegalMove):
    table: Annotated[Id, "The table's id."]
    number: Annotated[int, "The number that the move would have in the log."]
    level: Annotated[Level, "The level of the bot."]
    why: Annotated[str, "Why the bot would make this move, in the language of the request."]


def present_explanation(snapshot: Snapshot) -> ExplanationAnswer:
    """Present what the seat to move might do: each move is legal, or has the reason why not."""
    assert snapshot.state is not None
    assert snapshot.turn is not None
    return {
        "table": str(snapshot.id),
        "number": snapshot.next_number,
        "seat": snapshot.turn,
        "moves": [present_verdict(snapshot, each) for each in snapshot.rules.explain(snapshot.state)],
    }


def present_verdict(snapshot: Snapshot, verdict: Verdict[Any]) -> VerdictAnswer:
    move = presenter_of(snapshot.game).present_move(snapshot.rules, verdict.move)
    if verdict.reason is None:
        return {**move, "legal": True}
    detail = translated(verdict.reason.sentence)
    return {**move, "legal": False, "reason": verdict.reason, "detail": detail, "option": verdict.option}


def present_hint(snapshot: Snapshot, level: str) -> HintAnswer:
    """Present what a bot of this level would do with the view of the seat to move, and why, in one sentence."""
    view, move, grounds = thinking.advice(snapshot, level)
    presenter = presenter_of(snapshot.game)
    names = {seat.number: seat.name for seat in snapshot.seats if seat.name}
    return {
        "table": str(snapshot.id),
        "number": snapshot.next_number,
        "level": level,
        **presenter.present_move(snapshot.rules, move),
        "why": translated(presenter.why(view, grounds, names)),
    }
