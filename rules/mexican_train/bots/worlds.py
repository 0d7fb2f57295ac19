"""Possible worlds: the tiles that a seat cannot see, dealt to rivals and boneyard in agreement with what is known."""

from typing import NamedTuple

from rules.mexican_train.view import View
from rules.thinking import Chance
from rules.tiles import TILES, WITH_PIP, TileSet, set_size

TRIES = 3
"""After this many failed deals, one that contradicts what is known is accepted, so that the search ends."""


class World(NamedTuple):
    """One hand for each seat, the seat's own unchanged, and the boneyard as places of tiles."""

    hands: list[TileSet]
    boneyard: tuple[int, ...]


class Rival(NamedTuple):
    """A seat to deal to: its number of tiles, the tiles it may hold, and the most tiles it may hold of some pips."""

    seat: int
    tiles: int
    may_hold: TileSet
    most: dict[int, int]


class Worlds:
    """A source of worlds for one view.

    They agree with what is known, unless ``TRIES`` deals fail. ``chance`` is called once. The worlds are not equally
    likely: the seat with the least choice is dealt to first, which is fast and favours some worlds.
    """

    def __init__(self, view: View, chance: Chance) -> None:
        self.hands = [view.hand if seat == view.seat else 0 for seat in range(view.setup.seats)]
        if view.hands is not None:
            self.hands = list(view.hands)
        self.unseen = unseen_tiles(view, self.hands)
        self.rivals = [] if view.hands is not None else rivals_of(view, self.unseen)
        self.drawn = chance(1 << 62)

    def deal(self) -> World:
        """Deal one more world."""
        for _ in range(TRIES):
            pool = self.shuffled()
            hands = self.hands[:]
            if all(deal_to(hands, rival, pool) for rival in self.rivals):
                return World(hands, tuple(pool))
        return self.deal_anyhow()

    def deal_anyhow(self) -> World:
        """A world that respects only the number of tiles in each hand."""
        pool, hands = self.shuffled(), self.hands[:]
        for rival in self.rivals:
            hands[rival.seat] = sum(1 << at for at in pool[: rival.tiles])
            del pool[: rival.tiles]
        return World(hands, tuple(pool))

    def shuffled(self) -> list[int]:
        """The unseen tiles in a new order.

        A search needs thousands of numbers, so a fast generator extends one random number.
        """
        pool, drawn = self.unseen[:], self.drawn
        for at in range(len(pool) - 1, 0, -1):
            drawn = (drawn * 6364136223846793005 + 1442695040888963407) & 0xFFFFFFFFFFFFFFFF  # a period of 2 ** 64
            other = (drawn >> 32) * (at + 1) >> 32
            pool[at], pool[other] = pool[other], pool[at]
        self.drawn = drawn
        return pool


def unseen_tiles(view: View, hands: list[TileSet]) -> list[int]:
    """The tiles of the set that are neither on the table nor in a hand that the seat knows."""
    seen = view.on_table
    for each in hands:
        seen |= each
    return [at for at in range(set_size(view.setup.options.highest_pip)) if not seen >> at & 1]


def rivals_of(view: View, unseen: list[int]) -> list[Rival]:
    """The seats to deal to, the one with the least choice first."""
    rivals = [rival_of(view, seat, unseen) for seat in range(view.setup.seats) if seat != view.seat]
    return sorted(rivals, key=lambda rival: rival.may_hold.bit_count() - rival.tiles)


def rival_of(view: View, seat: int, unseen: list[int]) -> Rival:
    """What is known about a seat's hand. Limits that the unseen tiles cannot exceed anyway are left out."""
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
    """Deal a rival the first tiles of the pool that it may hold. Returns whether there were enough."""
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
    """The first tiles that respect the most a rival can hold of each pip."""
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
