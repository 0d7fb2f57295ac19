"""Describes a position in words, for people and for programs that speak."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rules.sentences import Counted, Sentence, joined
from tables.models import Status
from tables.narration import People, absence_said, either, end_of_match, status_said
from tables.presenters.game import GamePresenter
from tables.translating import translated


def position_text(presenter: GamePresenter, position: Mapping[str, Any], people: People, last: str | None) -> str:
    """Return a position as its caller sees it, one fact a line. ``last`` is the sentence of the last move."""
    lines = [translated(each) for each in position_sentences(presenter, position, people)]
    if last is not None:
        lines.insert(1, translated(Sentence("Last move: {move}", move=last)))
    return "\n".join(lines) + "\n"


def position_sentences(presenter: GamePresenter, position: Mapping[str, Any], people: People) -> Iterator[Sentence]:
    played = position["round"]
    yield joined(list(heading(presenter, position)), between=" ")
    if position["winners"] is not None:
        yield joined(list(end_of_match(position["winners"], position["ended_reason"], people)), between=" ")
    if position["turn"] is not None:
        turn = position["turn"]["seat"]
        yield either(people, turn, Sentence("It is your turn."), lambda name: Sentence("Turn: {name}.", name=name))
    yield from (seat_sentence(seat, people, position["status"]) for seat in position["seats"])
    yield from presenter.table_sentences(position, people)
    if played is not None:
        yield Sentence("Boneyard: {count}.", count=position["boneyard"])
    if position["you"] is not None and played is not None:
        yield hand_sentence(position["you"]["tiles"])
        yield from choices(presenter, position["you"]["legal_moves"], people)


def hand_sentence(tiles: Sequence[str]) -> Sentence:
    if not tiles:
        return Sentence("You have no tiles.")
    return Sentence("Your tiles: {tiles}.", tiles=", ".join(tiles))


def heading(presenter: GamePresenter, position: Mapping[str, Any]) -> Iterator[Sentence]:
    """Yield the status, unless the round implies it, and the round."""
    played = position["round"]
    if played is None or position["status"] != Status.PLAYING:
        yield from status_said(position["status"], position["ended_reason"])
    if played is not None:
        yield presenter.round_sentence(played)


def seat_sentence(facts: Mapping[str, Any], people: People, status: str) -> Sentence:
    seat = facts["seat"]
    if facts["name"] is None:
        return Sentence("Seat {number} is free.", number=seat + 1)
    tiles = Counted("{count} tile", "{count} tiles", facts["tile_count"])
    points = Counted("{count} point", "{count} points", facts["total"])
    to_reader = Sentence("You: {tiles}, {points}.", tiles=tiles, points=points)
    said = either(
        people,
        seat,
        to_reader,
        lambda name: Sentence("{name}: {tiles}, {points}.", name=name, tiles=tiles, points=points),
    )
    is_away = facts["away"] and status == Status.PLAYING  # nobody plays when the match is over
    absence = absence_said(seat, people, is_away=is_away, is_forfeited=facts["forfeited"])
    return joined([said, *absence], between=" ")


def choices(presenter: GamePresenter, legal: Sequence[Mapping[str, Any]], people: People) -> Iterator[Sentence]:
    """Yield what the reader may do, each with the text of the move to send."""
    for move in legal:
        yield Sentence("You may: {what} ({move})", what=presenter.choice(move, people), move=move["move"])
