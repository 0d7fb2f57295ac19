"""A position in words, for people and for programs that speak."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext_noop as N_

from rules.moves import MEXICAN, Announce, Call, Draw, End, Move, Pass, Play
from rules.notation import parse_move
from rules.sentences import Counted, Sentence, joined
from tables.narration import STATUSES, People, away_said, either, end_said
from tables.telling import told

MAY_DO: Mapping[type[Move], str] = {
    Draw: N_("draw"),
    Pass: N_("pass"),
    End: N_("end the first turn"),
    Announce: N_("announce the last tile"),
}


def position_text(position: Mapping[str, Any], people: People, last: str | None) -> str:
    """A position as its caller sees it, one fact a line. ``last`` is the sentence of the last move."""
    lines = [told(each) for each in position_sentences(position, people)]
    if last is not None:
        lines.insert(1, told(Sentence("Last move: {move}", move=last)))
    return "\n".join(lines) + "\n"


def position_sentences(position: Mapping[str, Any], people: People) -> Iterator[Sentence]:
    played = position["round"]
    yield STATUSES[position["status"]] if played is None else heading(position)
    if position["winners"] is not None:
        yield from end_said(position["winners"], position["ended_reason"], people)
    if position["turn"] is not None:
        turn = position["turn"]["seat"]
        yield either(people, turn, Sentence("It is your turn."), lambda name: Sentence("Turn: {name}.", name=name))
    yield from (seat_sentence(seat, people) for seat in position["seats"])
    yield from (train_sentence(train, people) for train in position["trains"])
    if position["open_doubles"]:
        ends = {train["train"]: train["end"] for train in position["trains"]}
        doubles = ", ".join(f"{ends[train]}-{ends[train]}" for train in position["open_doubles"])
        yield Sentence("Doubles to be covered: {tiles}.", tiles=doubles)
    if played is not None:
        yield Sentence("Boneyard: {count}.", count=position["boneyard"])
    if position["you"] is not None and played is not None:
        yield hand_sentence(position["you"]["tiles"])
        yield from choices(position["you"]["legal_moves"], people)


def hand_sentence(tiles: Sequence[str]) -> Sentence:
    if not tiles:
        return Sentence("You have no tiles.")
    return Sentence("Your tiles: {tiles}.", tiles=", ".join(tiles))


def heading(position: Mapping[str, Any]) -> Sentence:
    played = position["round"]
    said = Sentence(
        "Round {number} of {count}. Engine: {engine}.",
        number=played["number"],
        count=played["of"],
        engine=played["engine"],
    )
    return said if position["status"] == "playing" else joined([STATUSES[position["status"]], said], between=" ")


def seat_sentence(seat: Mapping[str, Any], people: People) -> Sentence:
    if seat["name"] is None:
        return Sentence("Seat {number} is free.", number=seat["seat"] + 1)
    tiles = Counted("{count} tile", "{count} tiles", seat["tile_count"])
    points = Counted("{count} point", "{count} points", seat["total"])
    name = people.name(seat["seat"])
    parts = Sentence("{name}: {tiles}, {points}.", name=name, tiles=tiles, points=points)
    if not seat["away"]:
        return parts
    return joined([parts, away_said(name, is_forfeited=seat["forfeited"])], between=" ")


def train_sentence(train: Mapping[str, Any], people: People) -> Sentence:
    """Whose train it is, which number it ends in, and whether it is open to all."""
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
    """What the reader may do, each with the text of the move to send."""
    for move in legal:
        yield Sentence("You may: {what} ({move})", what=choice(move, people), move=move["move"])


def choice(legal: Mapping[str, Any], people: People) -> Sentence:
    match parse_move(legal["move"]):
        case Play(train=train):
            where = train_name("mexican" if train == MEXICAN else str(train), people)
            if legal.get("keep_marker"):
                return Sentence("{where}: {tile}, and the marker stays", where=where, tile=legal["tile"])
            return Sentence("{where}: {tile}", where=where, tile=legal["tile"])
        case Call(seat=called):
            return Sentence("call {name}", name=people.name(called))
    return Sentence(MAY_DO[type(parse_move(legal["move"]))])
