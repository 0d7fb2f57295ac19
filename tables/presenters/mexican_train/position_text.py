"""Describes the position of Mexican Train in words."""

from collections.abc import Iterator, Mapping
from typing import Any

from django.utils.translation import gettext_noop as N_

from rules.mexican_train.moves import MEXICAN, Announce, Call, Draw, End, Move, Pass, Play
from rules.mexican_train.notation import parse_move
from rules.sentences import Sentence
from tables.narration import People, either

MAY_DO: Mapping[type[Move], str] = {
    Draw: N_("draw"),
    Pass: N_("pass"),
    End: N_("end the first turn"),
    Announce: N_("announce the last tile"),
}


def round_sentence(played: Mapping[str, Any]) -> Sentence:
    return Sentence(
        "Round {number} of {count}. Engine: {engine}.",
        number=played["number"],
        count=played["of"],
        engine=played["engine"],
    )


def table_sentences(position: Mapping[str, Any], people: People) -> Iterator[Sentence]:
    yield from (train_sentence(train, people) for train in position["trains"])
    if position["open_doubles"]:
        ends = {train["train"]: train["end"] for train in position["trains"]}
        doubles = ", ".join(f"{ends[train]}-{ends[train]}" for train in position["open_doubles"])
        yield Sentence("Doubles to be covered: {tiles}.", tiles=doubles)


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
