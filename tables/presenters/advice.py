"""Presents what the seat to move may do, and what a bot would do in its place."""

from typing import Annotated, NotRequired, TypedDict

from rest.answers import Id
from rest.texts import described
from rules.errors import Reason
from rules.mexican_train.bots.words import sentence
from rules.mexican_train.explaining import Verdict
from tables import thinking
from tables.presenters.mexican_train.moves import LegalMove, present_move
from tables.presenters.values import Level
from tables.snapshots import Snapshot
from tables.translating import translated


@described("A move, and why it is illegal. `option` is the option that decides, if there is one.")
class VerdictAnswer(LegalMove):
    legal: Annotated[bool, "Whether the rules allow the move."]
    reason: NotRequired[Annotated[Reason, "Why the move is illegal."]]
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
    """Present every tile of the seat to move on every train, and its other moves: legal, or the reason why not."""
    assert snapshot.state is not None
    assert snapshot.turn is not None
    return {
        "table": str(snapshot.id),
        "number": snapshot.next_number,
        "seat": snapshot.turn,
        "moves": [present_verdict(each) for each in snapshot.rules.explain(snapshot.state)],
    }


def present_verdict(verdict: Verdict) -> VerdictAnswer:
    move = present_move(verdict.move)
    if verdict.reason is None:
        return {**move, "legal": True}
    detail = translated(verdict.reason.sentence)
    return {**move, "legal": False, "reason": verdict.reason, "detail": detail, "option": verdict.option}


def present_hint(snapshot: Snapshot, level: str) -> HintAnswer:
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
