"""Describes a position in words, for people and for programs that speak."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext_noop as N_

from rules.mexican_train.moves import MEXICAN, Announce, Call, Draw, End, Move, Pass, Play
from rules.mexican_train.notation import parse_move
from rules.sentences import Counted, Sentence, joined
from tables.models import Status
from tables.narration import People, absence_said, either, end_of_match, status_said
from tables.translating import translated

MAY_DO: Mapping[type[Move], str] = {
    Draw: N_("draw"),
    Pass: N_("pass"),
    End: N_("end the first turn"),
    Announce: N_("announce the last tile"),
}


def position_text(shown: Mapping[str, Any], people: People, last: str | None) -> str:
    """Return a position as its caller sees it, one fact a line. ``last`` is the sentence of the last move."""
    lines = [translated(each) for each in position_sentences(shown, people)]
    if last is not None:
        lines.insert(1, translated(Sentence("Last move: {move}", move=last)))
    return "\n".join(lines) + "\n"


def position_sentences(shown: Mapping[str, Any], people: People) -> Iterator[Sentence]:
    played = shown["round"]
    yield joined(list(heading(shown)), between=" ")
    if shown["winners"] is not None:
        yield joined(list(end_of_match(shown["winners"], shown["ended_reason"], people)), between=" ")
    if shown["turn"] is not None:
        turn = shown["turn"]["seat"]
        yield either(people, turn, Sentence("It is your turn."), lambda name: Sentence("Turn: {name}.", name=name))
    yield from (seat_sentence(seat, people, shown["status"]) for seat in shown["seats"])
    yield from (train_sentence(train, people) for train in shown["trains"])
    if shown["open_doubles"]:
        ends = {train["train"]: train["end"] for train in shown["trains"]}
        doubles = ", ".join(f"{ends[train]}-{ends[train]}" for train in shown["open_doubles"])
        yield Sentence("Doubles to be covered: {tiles}.", tiles=doubles)
    if played is not None:
        yield Sentence("Boneyard: {count}.", count=shown["boneyard"])
    if shown["you"] is not None and played is not None:
        yield hand_sentence(shown["you"]["tiles"])
        yield from choices(shown["you"]["legal_moves"], people)


def hand_sentence(tiles: Sequence[str]) -> Sentence:
    if not tiles:
        return Sentence("You have no tiles.")
    return Sentence("Your tiles: {tiles}.", tiles=", ".join(tiles))


def heading(shown: Mapping[str, Any]) -> Iterator[Sentence]:
    """Yield the status, unless the round implies it, and the round."""
    played = shown["round"]
    if played is None or shown["status"] != Status.PLAYING:
        yield from status_said(shown["status"], shown["ended_reason"])
    if played is not None:
        yield Sentence(
            "Round {number} of {count}. Engine: {engine}.",
            number=played["number"],
            count=played["of"],
            engine=played["engine"],
        )


def seat_sentence(shown: Mapping[str, Any], people: People, status: str) -> Sentence:
    seat = shown["seat"]
    if shown["name"] is None:
        return Sentence("Seat {number} is free.", number=seat + 1)
    tiles = Counted("{count} tile", "{count} tiles", shown["tile_count"])
    points = Counted("{count} point", "{count} points", shown["total"])
    to_reader = Sentence("You: {tiles}, {points}.", tiles=tiles, points=points)
    said = either(
        people,
        seat,
        to_reader,
        lambda name: Sentence("{name}: {tiles}, {points}.", name=name, tiles=tiles, points=points),
    )
    is_away = shown["away"] and status == Status.PLAYING  # nobody plays when the match is over
    absence = absence_said(seat, people, is_away=is_away, is_forfeited=shown["forfeited"])
    return joined([said, *absence], between=" ")


def train_sentence(train: Mapping[str, Any], people: People) -> Sentence:
    """Return whose train it is, which number it ends in, and whether it is open to all."""
    name = train_name(train["train"], people)
    if not train["tiles"]:
        return Sentence("{train}: no tile yet, begins with {end}.", train=name, end=train["end"])
    if train["marker"]:
        return Sentence("{train}: ends in {end}, open to all.", train=name, end=train["end"])
    return Sentence("{train}: ends in {end}.", train=name, end=train["end"])


def train_name(train: str, people: People) -> Sentence:
    if train == "mexican":
        return Sentence("The Mexican Train")
    return either(people, int(train), Sentence("Your train"), lambda name: Sentence("{name}'s train", name=name))


def choices(legal: Sequence[Mapping[str, Any]], people: People) -> Iterator[Sentence]:
    """Yield what the reader may do, each with the text of the move to send."""
    for move in legal:
        yield Sentence("You may: {what} ({move})", what=choice(move, people), move=move["move"])


def choice(legal: Mapping[str, Any], people: People) -> Sentence:
    match parse_move(legal["move"]):
        case Play(train=train):
            laid = to_lay(legal["tile"], train, people)
            return Sentence("{what}; the marker stays", what=laid) if legal.get("keep_marker") else laid
        case Call(seat=called):
            return Sentence("call {name}", name=people.name(called))
    return Sentence(MAY_DO[type(parse_move(legal["move"]))])


def to_lay(tile: str, train: int, people: People) -> Sentence:
    if train == MEXICAN:
        return Sentence("lay {tile} on the Mexican Train", tile=tile)
    own = Sentence("lay {tile} on your own train", tile=tile)
    return either(people, train, own, lambda name: Sentence("lay {tile} on {owner}'s train", tile=tile, owner=name))
