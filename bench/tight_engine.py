"""A round of classic Mexican Train, as fast as plain Python allows.

It is only the reference for ``rules``. It is one mutable object with hands as bit masks. Actions are integers: ``tile
<< 4 | train``, ``DRAW`` or ``PASS``. The train after the last seat's is the Mexican Train. Tiles are numbered as in
``rules.tiles``. Every action is validated.
"""

from collections.abc import Iterable, Sequence

MAX_PIP = 12
HIGH = [high for high in range(MAX_PIP + 1) for _ in range(high + 1)]
LOW = [low for high in range(MAX_PIP + 1) for low in range(high + 1)]
TILES = len(HIGH)
WITH_PIP = [sum(1 << tile for tile in range(TILES) if pip in (HIGH[tile], LOW[tile])) for pip in range(MAX_PIP + 1)]
DRAW = -1
PASS = -2
NONE = -1


class Illegal(Exception):
    """An illegal action."""


class Round:
    """``open_double`` is a train or ``NONE``. In ``marked``, the Mexican Train's bit is always set."""

    __slots__ = (
        "boneyard",
        "ends",
        "hands",
        "has_drawn",
        "is_over",
        "laid",
        "marked",
        "on_table",
        "open_double",
        "passed",
        "seats",
        "turn",
    )

    def __init__(self, engine: int, order: Sequence[int], seats: int, size: int, starter: int) -> None:
        engine_tile = engine * (engine + 3) // 2
        tiles = [tile for tile in order if tile != engine_tile]
        self.seats = seats
        self.hands = [sum(1 << tile for tile in tiles[at : at + size]) for at in range(0, seats * size, size)]
        self.boneyard = tiles[: seats * size - 1 : -1]  # drawn from the end
        self.ends = [engine] * (seats + 1)
        self.laid: list[list[int]] = [[] for _ in range(seats + 1)]
        self.marked = 1 << seats
        self.on_table = 1 << engine_tile
        self.open_double = NONE
        self.turn = starter
        self.has_drawn = False
        self.passed = 0
        self.is_over = False

    def may_lay(self, seat: int) -> bool:
        """Whether the seat holds a tile that fits a train that it may use."""
        hand, ends = self.hands[seat], self.ends
        if self.open_double >= 0:
            return hand & WITH_PIP[ends[self.open_double]] != 0
        if hand & WITH_PIP[ends[seat]]:
            return True
        marked, train = self.marked, 0
        while marked:
            if marked & 1 and hand & WITH_PIP[ends[train]]:
                return True
            marked >>= 1
            train += 1
        return False

    def legal(self) -> list[int]:
        """Every legal action of the seat to move."""
        hand, ends = self.hands[self.turn], self.ends
        open_trains = 1 << self.open_double if self.open_double >= 0 else self.marked | 1 << self.turn
        actions = []
        for train in range(self.seats + 1):
            if open_trains >> train & 1:
                fitting = hand & WITH_PIP[ends[train]]
                while fitting:
                    lowest = fitting & -fitting
                    actions.append((lowest.bit_length() - 1) << 4 | train)
                    fitting ^= lowest
        return actions or [DRAW if self.boneyard and not self.has_drawn else PASS]

    def apply(self, action: int) -> None:
        if self.is_over:
            raise Illegal("the round is over")
        if action >= 0:
            self.lay(action >> 4, action & 15)
        elif self.may_lay(self.turn):
            raise Illegal("must play")
        elif action == DRAW:
            self.draw()
        elif action == PASS:
            self.give_up()
        else:
            raise Illegal("no such action")

    def lay(self, tile: int, train: int) -> None:
        seat, end = self.turn, self.ends
        if tile >= TILES or train > self.seats or not self.hands[seat] >> tile & 1:
            raise Illegal("not held, or no such train")
        if self.open_double >= 0:
            if train != self.open_double:
                raise Illegal("an open double comes first")
        elif train != seat and not self.marked >> train & 1:
            raise Illegal("not open")
        high, low = HIGH[tile], LOW[tile]
        if high == end[train]:
            end[train] = low
        elif low == end[train]:
            end[train] = high
        else:
            raise Illegal("does not fit")
        hand = self.hands[seat] = self.hands[seat] ^ 1 << tile
        self.on_table |= 1 << tile
        self.laid[train].append(tile)
        self.has_drawn = False
        self.passed = 0
        if train == seat:
            self.marked &= ~(1 << seat)
        if high == low and self.on_table & WITH_PIP[high] != WITH_PIP[high]:
            self.open_double = train
            self.is_over = not hand
            return
        self.open_double = NONE if train == self.open_double else self.open_double
        if hand:
            self.turn = seat + 1 if seat + 1 < self.seats else 0
        else:
            self.is_over = True

    def draw(self) -> None:
        if self.has_drawn or not self.boneyard:
            raise Illegal("no draw left")
        self.hands[self.turn] |= 1 << self.boneyard.pop()
        self.has_drawn = True

    def give_up(self) -> None:
        if self.boneyard and not self.has_drawn:
            raise Illegal("draw first")
        seat = self.turn
        self.marked |= 1 << seat
        self.passed |= 1 << seat
        self.has_drawn = False
        self.turn = seat + 1 if seat + 1 < self.seats else 0
        if not self.boneyard and self.passed == (1 << self.seats) - 1:
            self.is_over = not any(map(self.may_lay, range(self.seats)))


def replay(dealt: Round, actions: Iterable[int]) -> Round:
    """The round after these actions. Raises ``Illegal``."""
    apply = dealt.apply
    for action in actions:
        apply(action)
    return dealt
