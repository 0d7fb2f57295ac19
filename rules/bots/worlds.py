"""Possible worlds: the tiles that a seat cannot see, dealt to rivals and boneyard as what is known allows."""

from typing import NamedTuple

from rules.bots.choice import Chance
from rules.tiles import TILES, WITH_PIP, TileSet, set_size
from rules.view import View

TRIES = 3
"""How often a deal is begun anew before one is taken that contradicts what is known: none is looked for for ever."""


class World(NamedTuple):
    """Hands seat by seat, the seat's own as it is, and the boneyard as places of tiles."""

    hands: list[TileSet]
    boneyard: tuple[int, ...]


class Rival(NamedTuple):
    """A seat to be dealt to: how many tiles, which ones it may hold, and pips of which it holds only so many."""

    seat: int
    tiles: int
    may_hold: TileSet
    most: dict[int, int]


class Worlds:
    """A source of worlds for one view, none of which contradicts what is known. ``chance`` is asked once.

    They are not all equally likely: whoever has the least choice is dealt to first, which is quick and favours some.
    """

    def __init__(self, view: View, chance: Chance) -> None:
        self.hands = [view.hand if seat == view.seat else 0 for seat in range(view.setup.seats)]
        if view.hands is not None:
            self.hands = list(view.hands)
        self.unseen = unseen_tiles(view, self.hands)
        self.rivals = [] if view.hands is not None else rivals_of(view, self.unseen)
        self.drawn = chance(1 << 62)

    def deal(self) -> World:
        """One world more."""
        for _ in range(TRIES):
            pool = self.shuffled()
            hands = self.hands[:]
            if all(deal_to(hands, rival, pool) for rival in self.rivals):
                return World(hands, tuple(pool))
        return self.deal_anyhow()

    def deal_anyhow(self) -> World:
        """A world by the number of tiles alone."""
        pool, hands = self.shuffled(), self.hands[:]
        for rival in self.rivals:
            hands[rival.seat] = sum(1 << at for at in pool[: rival.tiles])
            del pool[: rival.tiles]
        return World(hands, tuple(pool))

    def shuffled(self) -> list[int]:
        """The unseen tiles in a new order. One throw of chance is drawn out: a search needs thousands of numbers."""
        pool, drawn = self.unseen[:], self.drawn
        for at in range(len(pool) - 1, 0, -1):
            drawn = (drawn * 6364136223846793005 + 1442695040888963407) & 0xFFFFFFFFFFFFFFFF  # a period of 2 ** 64
            other = (drawn >> 32) * (at + 1) >> 32
            pool[at], pool[other] = pool[other], pool[at]
        self.drawn = drawn
        return pool


def unseen_tiles(view: View, hands: list[TileSet]) -> list[int]:
    """The tiles of the set that lie neither on the table nor in a hand that the seat sees."""
    seen = view.on_table
    for each in hands:
        seen |= each
    return [at for at in range(set_size(view.setup.options.highest_pip)) if not seen >> at & 1]


def rivals_of(view: View, unseen: list[int]) -> list[Rival]:
    """The seats to be dealt to, the one with the least choice first."""
    rivals = [rival_of(view, seat, unseen) for seat in range(view.setup.seats) if seat != view.seat]
    return sorted(rivals, key=lambda rival: rival.may_hold.bit_count() - rival.tiles)


def rival_of(view: View, seat: int, unseen: list[int]) -> Rival:
    """What is known of a seat, as far as it says more than which tiles are unseen at all."""
    limits = view.limits[seat] if view.limits is not None else ()
    may_hold, most = sum(1 << at for at in unseen), dict[int, int]()
    for pip, limit in enumerate(limits):
        bearing = may_hold & WITH_PIP[pip]
        if limit == 0:
            may_hold &= ~bearing
        elif limit < bearing.bit_count():
            most[pip] = limit
    return Rival(seat, view.hand_counts[seat], may_hold, most)


def deal_to(hands: list[TileSet], rival: Rival, pool: list[int]) -> bool:
    """Take a rival's tiles out of the pool, the first that it may hold. Whether there were enough."""
    may_hold = rival.may_hold
    taken = [at for at in pool if may_hold >> at & 1]
    if rival.most:
        taken = within(taken, rival)
    if len(taken) < rival.tiles:
        return False
    hand = 0
    for at in taken[: rival.tiles]:
        hand |= 1 << at
    hands[rival.seat] = hand
    pool[:] = [at for at in pool if not hand >> at & 1]
    return True


def within(tiles: list[int], rival: Rival) -> list[int]:
    """The first tiles that do not go beyond the most a rival can hold of any pip."""
    room, taken = dict(rival.most), list[int]()
    for at in tiles:
        if len(taken) == rival.tiles:
            break
        tile = TILES[at]
        ends = {tile.high, tile.low}
        if all(room.get(pip, 1) for pip in ends):
            taken.append(at)
            for pip in ends & room.keys():
                room[pip] -= 1
    return taken
