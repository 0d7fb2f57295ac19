"""Why a move was chosen, as one sentence to the seat that makes it. It names only what decided."""

from collections.abc import Mapping
from types import MappingProxyType

from rules.mexican_train.bots.choice import Choice, Grounds, Why
from rules.mexican_train.moves import Play
from rules.mexican_train.view import View
from rules.sentences import Counted, Sentence
from rules.tiles import Tile, double

SENTENCES: Mapping[Why, str] = {
    Why.ONLY: "is the only legal move",
    Why.CHANCE: "is one of {moves} legal moves, chosen at random",
    Why.HEAVIEST: "gets rid of {pips}, the most that you can lay",
    Why.ANNOUNCE: "announces your last tile, so that nobody can call you",
    Why.CALL: "calls {seat}, who did not announce the last tile",
    Why.PLAN: "keeps your train going",
    Why.CLOSE: "closes your train to the others and keeps it going",
    Why.SPARE: "gets rid of {weight} that your train has no use for",
    Why.NEAR_OUT: "gets rid of {weight} because {seat} has {left} left",
    Why.COVER_BY_PLAN: "covers {covered} with the next tile of your train",
    Why.COVER_BY_SPARE: "covers {covered} with {tile}, which your train has no use for",
    Why.COVER_AT_COST: "covers {covered} with {tile}, which costs your train less than other moves would",
    Why.OWN_END: "gets rid of {weight} on your own train, for which you have no better plan",
    Why.AT_COST: "lays {tile}, which costs your train less than other moves would",
    Why.KEEP: "keeps your last double, because you are not out before somebody covers it",
    Why.SEARCHED: "comes out best in {worlds} deals of the tiles that you cannot see, {gain} ahead",
}
OF_SEVERAL: Mapping[Why, str] = {
    Why.PLAN: "keeps your train of {train} going",
    Why.CLOSE: "closes your train of {train} to the others and keeps it going",
    Why.SPARE: "gets rid of {weight} that your train of {train} has no use for",
    Why.COVER_BY_PLAN: "covers {covered} with the next tile of your train of {train}",
    Why.COVER_BY_SPARE: "covers {covered} with {tile}, which your train of {train} has no use for",
    Why.COVER_AT_COST: ("covers {covered} with {tile}, which costs your train of {train} less than other moves would"),
    Why.AT_COST: "lays {tile}, which costs your train of {train} less than other moves would",
}
"""The same for a planned train of several tiles. These are whole sentences, because other languages inflect words."""
WITHOUT_TRAIN: Mapping[Why, str] = {
    Why.SPARE: "gets rid of {weight}; you have no plan for your own train",
    Why.COVER_BY_SPARE: "covers {covered} with {tile}, your heaviest that can",
}
"""The same for a seat that has no plan for its own train."""
AS_GOOD = "is as good as any other in {worlds} deals of the tiles that you cannot see"
LEAST_GAIN = 0.05
"""A smaller gain would be rounded to zero, so it is not mentioned."""
NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


def sentence(view: View, choice: Choice, names: Mapping[int, str] = MappingProxyType({})) -> Sentence:
    """Why the move was chosen, such as "keeps your train of six going; 9-9 is covered by 9-4".

    ``names`` are the players' names by seat number. A seat without a name is called by its number, counted from 1.
    """
    move, grounds = choice
    facts = facts_of_play(view, move) if isinstance(move, Play) else {}
    said = Sentence(
        template_of(grounds),
        moves=number(len(view.legal_moves)),
        train=number(grounds.train),
        seat=None if grounds.seat is None else name_of(grounds.seat, names),
        left=tiles(grounds.left),
        gain=points(round(grounds.gain, 1)),
        worlds=grounds.worlds,
        **facts,
    )
    if grounds.cover is None:
        return said
    cover = tile_text(grounds.cover)
    return Sentence("{why}; {double} is covered by {tile}", why=said, double=facts["tile"], tile=cover)


def name_of(seat: int, names: Mapping[int, str]) -> Sentence | str:
    return names[seat] if seat in names else Sentence("seat {number}", number=seat + 1)


def template_of(grounds: Grounds) -> str:
    if grounds.why is Why.SEARCHED and grounds.gain < LEAST_GAIN:
        return AS_GOOD
    others = OF_SEVERAL if grounds.train > 1 else {} if grounds.train else WITHOUT_TRAIN
    return others.get(grounds.why, SENTENCES[grounds.why])


def facts_of_play(view: View, play: Play) -> dict[str, str]:
    """A tile, what it costs in the hand, and the double that it covers if it is laid on one."""
    weight = view.setup.options.points_of(play.tile)
    return {
        "tile": tile_text(play.tile),
        "pips": pips(play.tile.pips),
        "weight": pips(weight) if weight == play.tile.pips else points(weight),
        "covered": tile_text(double(view.trains[play.train].end)),
    }


def tile_text(tile: Tile) -> str:
    return f"{tile.high}-{tile.low}"


def pips(amount: float) -> Counted:
    return Counted("{number} pip", "{number} pips", amount, number=number(amount))


def points(amount: float) -> Counted:
    return Counted("{number} point", "{number} points", amount, number=number(amount))


def tiles(amount: float) -> Counted:
    return Counted("{number} tile", "{number} tiles", amount, number=number(amount))


def number(amount: float) -> Sentence | float:
    """A small integer as a word, any other number in digits."""
    if amount in range(len(NUMBERS)):
        word = NUMBERS[int(amount)]
        return Sentence(word)
    return int(amount) if amount == int(amount) else amount
