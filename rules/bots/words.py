"""Why a move was chosen, as one sentence to the seat whose move it is; it says nothing but what decided."""

from collections.abc import Mapping

from rules.bots.choice import Choice, Why
from rules.moves import Play
from rules.tiles import Tile, double
from rules.view import View

SENTENCES: Mapping[Why, str] = {
    Why.ONLY: "is the only legal move",
    Why.CHANCE: "is one of {moves} legal moves, picked by chance",
    Why.HEAVIEST: "gets rid of {pips}, the most that you can lay",
    Why.ANNOUNCE: "says that you come to your last tile, so that nobody can call you",
    Why.CALL: "calls seat {seat}, which did not announce its last tile",
    Why.PLAN: "keeps {train} going",
    Why.CLOSE: "closes {train} to the others and keeps it going",
    Why.SPARE: "gets rid of {weight} that {train} has no use for",
    Why.NEAR_OUT: "gets rid of {weight} because seat {seat} has {left} left",
    Why.COVER_BY_PLAN: "covers {covered} with the next tile of {train}",
    Why.COVER_BY_SPARE: "covers {covered} with {tile}, which {train} has no use for",
    Why.COVER_AT_COST: "covers {covered} with {tile} at the cost of {train}, but less than other ways would",
    Why.OWN_END: "gets rid of {weight} on your own train, for which you have no better plan",
    Why.AT_COST: "lays {tile} at the cost of {train}, but less than other ways would",
    Why.KEEP: "keeps your last double, for you are not out before somebody covers it",
    Why.SEARCHED: "comes out best in {worlds} deals of the tiles that you cannot see, {gain} ahead",
}
WITHOUT_TRAIN: Mapping[Why, str] = {
    Why.SPARE: "gets rid of {weight}; you have no plan for your own train",
    Why.COVER_BY_SPARE: "covers {covered} with {tile}, your heaviest that can",
}
"""The same where the seat has no train planned that could have a use for a tile."""
AS_GOOD = "is as good as any other in {worlds} deals of the tiles that you cannot see"
LEAST_GAIN = 0.05
"""What rounds to nothing is no gain."""
NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


def sentence(view: View, choice: Choice) -> str:
    """Why the move was chosen: "keeps your train of six going; 9-9 is covered by 9-4"."""
    move, grounds = choice
    template = SENTENCES[grounds.why]
    if grounds.why is Why.SEARCHED and grounds.gain < LEAST_GAIN:
        template = AS_GOOD
    if not grounds.train:
        template = WITHOUT_TRAIN.get(grounds.why, template)
    facts = facts_of_play(view, move) if isinstance(move, Play) else {}
    said = template.format(
        moves=number(len(view.legal_moves)),
        train=f"your train of {number(grounds.train)}" if grounds.train > 1 else "your train",
        seat=grounds.seat,
        left=counted(grounds.left, "tile"),
        gain=counted(round(grounds.gain, 1), "point"),
        worlds=grounds.worlds,
        **facts,
    )
    return said + ("" if grounds.cover is None else f"; {facts['tile']} is covered by {tile_text(grounds.cover)}")


def facts_of_play(view: View, play: Play) -> dict[str, str]:
    """A tile, what it costs to keep, and the double that it may be laid on."""
    points = view.setup.options.points_of(play.tile)
    unit = "pip" if points == play.tile.pips else "point"
    return {
        "tile": tile_text(play.tile),
        "pips": counted(play.tile.pips, "pip"),
        "weight": counted(points, unit),
        "covered": tile_text(double(view.trains[play.train].end)),
    }


def tile_text(tile: Tile) -> str:
    return f"{tile.high}-{tile.low}"


def counted(amount: float, thing: str) -> str:
    """Few as a word, many and parts as a number; one of a thing, else more."""
    return f"{number(amount)} {thing}{'' if amount == 1 else 's'}"


def number(amount: float) -> str:
    return NUMBERS[int(amount)] if amount in range(len(NUMBERS)) else f"{amount:g}"
