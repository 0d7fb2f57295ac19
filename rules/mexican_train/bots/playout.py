"""A fast round that plays itself to its end.

Every seat plays like the *hard* bot, with short plans that are kept current.
"""

from rules.mexican_train.bots.fast import BITS, SUMS, FastRound
from rules.mexican_train.bots.fast_rules import FastRules
from rules.mexican_train.bots.hard import FOLLOWED, MEXICAN_FIRST, NEAR_OUT, NEXT_WHEN_LATE
from rules.mexican_train.bots.plans import NO_PLACE, Plan, Planned, planned, tiles_of
from rules.mexican_train.moves import Draw, Move
from rules.mexican_train.view import View
from rules.tiles import DOUBLES, WITH_PIP, TileSet

STEPS = 24


class Members(dict[int, tuple[int, ...]]):
    """A cache of the members of each set of trains."""

    def __missing__(self, bits: int) -> tuple[int, ...]:
        found = self[bits] = tuple(each for each in range(bits.bit_length()) if bits >> each & 1)
        return found


MEMBERS = Members()


class Playout(FastRound):
    """A round with a plan for every seat.

    ``heads`` are the ends at which the plans begin, ``spare`` the tiles outside them.
    """

    __slots__ = ("heads", "plans", "spare")

    def __init__(self, rules: FastRules, view: View) -> None:
        super().__init__(rules, view)
        self.heads = [NO_PLACE] * rules.seats
        self.plans: list[Plan] = [None] * rules.seats
        self.spare = [0] * rules.seats

    def copy(self) -> "Playout":
        """A copy of this round, to be played differently."""
        other = Playout.__new__(Playout)
        self.copy_to(other)
        other.heads, other.plans, other.spare = self.heads[:], self.plans[:], self.spare[:]
        return other

    def plan(self, seat: int) -> None:
        """Make a new plan for a seat, from the present end of its train."""
        self.take_plan(seat, planned(self.hands[seat], self.ends[seat], STEPS))

    def take_plan(self, seat: int, intended: Planned) -> None:
        self.heads[seat], self.plans[seat], self.spare[seat] = intended

    def make(self, move: Move) -> None:
        """Make the move that is tried. Afterwards every seat is assumed to announce, so that no seat can be called."""
        self.must_announce = False
        if isinstance(move, Draw):
            self.spare[self.turn] |= BITS[self.draw()]
        else:
            self.apply(move)

    def finish(self) -> list[int]:
        """Play to the end of the round. Returns what each seat scores."""
        while not self.ended:
            if self.opened or self.doubles:
                self.step_bound(self.turn)
            else:
                self.step(self.turn)
        return self.points()

    def step(self, seat: int) -> None:
        """Make one move while no double must be covered or followed up."""
        own = self.ends[seat]
        if self.heads[seat] != own:
            self.plan(seat)
        plan, spare = self.plans[seat], self.spare[seat]
        if plan and self.marked >> seat & 1:
            self.follow(seat, plan)
        elif not plan and spare & WITH_PIP[own]:
            self.lay_spare(seat, seat, best_on(spare & WITH_PIP[own]))
        elif not (spare and self.shed(seat, plan, spare)):
            if plan:
                self.follow(seat, plan)
            else:
                self.stuck(seat)

    def shed(self, seat: int, plan: Plan, spare: TileSet) -> bool:
        """Lay the best spare tile on a train open to the seat.

        Returns ``False`` if there is none, or the plan is better.
        """
        ends, mexican = self.ends, self.seats
        best = best_train = best_at = 0
        for train in MEMBERS[self.available(seat)]:
            if fits := spare & WITH_PIP[ends[train]]:
                value = 1 if train < mexican else 1 + MEXICAN_FIRST
                if fits & DOUBLES and fits & (fits - 1):
                    at = (fits & DOUBLES).bit_length() - 1
                    value += SUMS[at] + FOLLOWED
                else:
                    at = fits.bit_length() - 1
                    value += SUMS[at]
                if value > best:
                    best, best_train, best_at = value, train, at
        if not best or (plan and min(self.counts) <= NEAR_OUT and self.is_in_a_hurry(seat, plan, best)):
            return False
        self.lay_spare(seat, best_train, best_at)
        return True

    def is_in_a_hurry(self, seat: int, plan: tuple[int, Plan], best: int) -> bool:
        """Whether a rival is nearly out, and the plan's next tile is worth more than the best spare tile."""
        at = plan[0]
        worth = SUMS[at] + NEXT_WHEN_LATE + (FOLLOWED if BITS[at] & DOUBLES else 0)
        is_close = any(count <= NEAR_OUT for each, count in enumerate(self.counts) if each != seat)
        return is_close and worth > best

    def follow(self, seat: int, plan: tuple[int, Plan]) -> None:
        """Lay the next tile of the plan."""
        at, self.plans[seat] = plan
        self.heads[seat] = SUMS[at] - self.ends[seat]
        self.lay(seat, at)

    def lay_spare(self, seat: int, train: int, at: int) -> None:
        self.spare[seat] ^= BITS[at]
        self.lay(train, at)

    def step_bound(self, seat: int) -> None:
        """Make one move where a double needs a tile: the plan's next, a spare tile, or the plan's earliest."""
        choices = self.covers(seat) if self.rules.has_one_double else self.playable(seat)
        if not choices:
            self.stuck(seat)
            return
        if self.heads[seat] != self.ends[seat]:
            self.plan(seat)
        plan, spare = self.plans[seat], self.spare[seat]
        best, best_train = NO_PLACE, 0
        for train, tiles in choices:
            if plan and train == seat and tiles & BITS[plan[0]]:
                self.follow(seat, plan)
                return
            at = (tiles & spare).bit_length() - 1
            if at >= 0 and (best < 0 or SUMS[at] > SUMS[best]):
                best, best_train = at, train
        if best >= 0:
            self.lay_spare(seat, best_train, best)
        else:
            self.break_plan(seat, plan, choices)

    def covers(self, seat: int) -> list[tuple[int, TileSet]]:
        """The tiles that cover the only open double."""
        train = self.opened[0][0]
        covers = self.hands[seat] & WITH_PIP[self.ends[train]]
        return [(train, covers)] if covers else []

    def break_plan(self, seat: int, plan: Plan, choices: list[tuple[int, TileSet]]) -> None:
        """Lay the earliest tile of the plan that may be laid, and give up the plan."""
        at, train = next((at, train) for at in tiles_of(plan) for train, tiles in choices if tiles & BITS[at])
        self.heads[seat] = NO_PLACE
        self.lay(train, at)

    def stuck(self, seat: int) -> None:
        """End a long first turn. Otherwise draw while the rules allow it, lay a drawn tile that fits, or pass."""
        if self.laid and self.is_in_long_first_turn():
            self.end_first_turn()
            return
        while self.has_draw_left(is_able=False):
            at = self.draw()
            self.spare[seat] |= BITS[at]
            train = self.place_for(seat, at)
            if train != NO_PLACE:
                self.lay_spare(seat, train, at)
                return
        self.give_up()

    def place_for(self, seat: int, at: int) -> int:
        """The train for a tile just drawn, the seat's own first; ``NO_PLACE`` if there is none.

        No other tile can be laid.
        """
        ends, bit = self.ends, BITS[at]
        if self.opened or self.doubles:
            choices = self.covers(seat) if self.rules.has_one_double else self.playable(seat)
            return min((train != seat, train) for train, _ in choices)[1] if choices else NO_PLACE
        if bit & WITH_PIP[ends[seat]]:
            return seat
        for train in reversed(MEMBERS[self.available(seat)]):
            if bit & WITH_PIP[ends[train]]:
                return train
        return NO_PLACE


def best_on(fits: TileSet) -> int:
    """The tile to lay among those that fit: a double first, else the heaviest."""
    return (fits & DOUBLES or fits).bit_length() - 1
