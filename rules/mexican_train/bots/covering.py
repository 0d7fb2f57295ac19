"""Doubles in a hand: which need no cover, and which can be followed up once they are laid."""

from collections.abc import Collection

from rules.mexican_train.bots.trail import Loose, places
from rules.mexican_train.moves import Play
from rules.mexican_train.view import View
from rules.tiles import DOUBLES, TILES, WITH_PIP, Tile, TileSet, set_of


def loose_doubles(view: View) -> Loose:
    """The doubles that need no cover.

    Where doubles are ordinary tiles, no double needs one. Otherwise, doubles that will be dead need none. In a long
    first turn no double needs a cover, except a last tile that the options require to be covered.
    """
    options = view.setup.options
    if not options.opens_doubles:
        return Loose(DOUBLES)
    must_cover = options.last_double_must_be_covered
    if view.is_in_long_first_turn and not (must_cover and view.hand.bit_count() == 1):
        return Loose(DOUBLES)
    return Loose(dead_doubles(view), at_the_end=not must_cover)


def dead_doubles(view: View) -> TileSet:
    """The doubles of the hand that no tile can ever cover: every other tile of their pip lies on the table."""
    if not view.setup.options.lifts_dead_doubles:
        return 0
    bare = [TILES[at] for at in places(view.hand & DOUBLES) if not covers_of(view.hand, TILES[at])]
    all_with, table = view.setup.options.all_with, view.on_table
    return set_of(each for each in bare if all_with(each.high) == table & WITH_PIP[each.high] | each.bit)


def covers_of(hand: TileSet, twin: Tile) -> TileSet:
    """The tiles of a hand that can cover a double."""
    return hand & WITH_PIP[twin.high] & ~twin.bit


def is_last_double_stuck(view: View) -> bool:
    """Whether the only tile left is a double, and the seat would not be out before somebody covers it."""
    if view.hand.bit_count() != 1 or not view.hand & DOUBLES:
        return False
    if view.setup.options.lapses_at_once:
        return False
    loose = loose_doubles(view)
    return not (loose.at_the_end or view.hand & loose.anywhere)


def asks_for_more(hand: TileSet, tile: Tile, loose: Loose) -> bool:
    """Whether a tile is a double that needs another tile after it. Without one, the seat is stuck."""
    return tile.is_double and not (tile.bit & loose.anywhere or (hand == tile.bit and loose.at_the_end))


def may_follow_up(view: View, laid: Play, plays: Collection[Play]) -> bool:
    """Whether the seat can lay the tile that the options require after this double.

    ``plays`` are its legal plays now.
    """
    has_cover, options = bool(covers_of(view.hand, laid.tile)), view.setup.options
    elsewhere = [play.train for play in plays if play.train != laid.train and not play.tile.is_double]
    if options.may_follow_up_anywhere(1 + view.progress.doubles):
        return has_cover or bool(elsewhere)
    earlier = len(view.open_doubles) - view.progress.fresh
    asked = options.doubles_to_follow_up((*(each.train for each in view.open_doubles[earlier:]), laid.train))
    return (has_cover and laid.train in asked) or not set(asked).isdisjoint(elsewhere)
