"""A fast copy of the rules for play-outs: it changes in place, and agrees with ``rules.mexican_train.transitions``.

The code is written for speed: the most frequent cases come first and call few functions.
"""

from typing import assert_never

from rules.mexican_train.bots.fast_position import BLOCKED, NOBODY, OUT, Position
from rules.mexican_train.moves import MEXICAN, Announce, Call, Draw, End, Move, Pass, Play
from rules.tiles import TILES

SUMS = tuple(each.pips for each in TILES)
BITS = tuple(each.bit for each in TILES)


class FastRound(Position):
    """A position that moves change in place.

    Nothing is validated: callers of ``lay``, ``draw`` and the others pass legal moves.
    """

    __slots__ = ()

    def apply(self, move: Move) -> None:
        """Apply a move of ``rules.mexican_train.moves`` for the seat to move."""
        match move:
            case Play():
                self.lay_as_said(move)
            case Draw():
                self.draw()
            case Pass():
                self.give_up()
            case End():
                self.end_first_turn()
            case Announce():
                self.announced |= 1 << self.turn
            case Call():
                self.call(move.seat)
            case _:
                assert_never(move)

    def lay_as_said(self, play: Play) -> None:
        """Lay a tile. A marker that stays is put back afterwards, because it changes nothing until the next turn."""
        seat, at = self.turn, play.tile.bit.bit_length() - 1
        kept = self.marked & (1 << seat) if play.keep_marker and play.train == seat else 0
        self.lay(self.seats if play.train == MEXICAN else play.train, at)
        if kept and self.rules.options.may_keep_marker:
            self.marked |= kept
            self.open |= kept

    def lay(self, train: int, at: int) -> None:
        """The tile leaves the hand and joins the train. Then the same seat goes on, or its turn ends."""
        seat, ends, bit = self.turn, self.ends, BITS[at]
        end = ends[train]
        ends[train] = free = SUMS[at] - end
        self.hands[seat] ^= bit
        self.counts[seat] -= 1
        self.on_table |= bit
        self.started |= 1 << train
        self.passed = 0
        if self.open >> seat & 1 and (train == seat or self.rules.any_play_clears_marker):
            self.close(seat, is_own=train == seat)
        if end == free or self.opened or self.rules.has_long_first_turn:
            self.go_on(train, is_double=end == free)
        else:
            self.end_turn()

    def close(self, seat: int, *, is_own: bool) -> None:
        """Take the marker off the seat's train, and close the train to others unless it is public."""
        if is_own:
            self.played_own |= 1 << seat
        self.marked &= ~(1 << seat)
        if not self.rules.is_public[self.played_own >> seat & 1]:
            self.open &= ~(1 << seat)

    def go_on(self, train: int, *, is_double: bool) -> None:
        """Decide whether the turn goes on after a double, after a possible cover, or within a long first turn."""
        seat, rules = self.turn, self.rules
        if rules.has_one_double:
            if is_double and self.counts[seat] and not self.is_dead(self.ends[train]):
                self.opened = [(train, seat)]
                self.laid, self.doubles, self.fresh = self.laid + 1, 1, 1
                self.has_used_draw = self.draws > 0 and not rules.renews_draw
                self.draws = 0
                return
            if not is_double:
                self.opened = []
                self.end_turn()
                return
        is_cover = not is_double and any(each[0] == train for each in self.opened)
        if self.opened or is_double:
            self.leave_open(train, is_double=is_double)
        self.laid += 1
        self.doubles += is_double
        self.has_used_draw = self.has_used_draw or (self.draws > 0 and not rules.renews_draw)
        self.draws = 0
        if self.is_in_long_first_turn():
            is_going_on = self.counts[seat] > 0
        elif is_double and self.asks_for_follow_up(self.ends[train]):
            is_going_on = True
        else:
            is_going_on = is_cover and self.goes_on_covering()
        if is_going_on:
            self.settle(seat, has_passed=False)
        else:
            self.end_turn()

    def leave_open(self, train: int, *, is_double: bool) -> None:
        """Update the open doubles: a tile laid on one covers it, a double is added, and dead doubles are lifted."""
        rules, ends, opened = self.rules, self.ends, self.opened
        if is_double and not opened and rules.options.opens_doubles:
            stays_open = not (rules.options.lifts_dead_doubles and self.is_dead(ends[train]))
            self.opened, self.fresh = [(train, self.turn)] * stays_open, int(stays_open)
            return
        left = len(opened) - self.fresh
        if is_double and rules.options.opens_doubles:
            opened = [*opened, (train, self.turn)]
        stays = [
            (is_double or each[0] != train) and not (rules.options.lifts_dead_doubles and self.is_dead(ends[each[0]]))
            for each in opened
        ]
        self.opened = [each for each, is_open in zip(opened, stays, strict=True) if is_open]
        self.fresh = sum(stays[left:])

    def is_dead(self, pip: int) -> bool:
        return not self.rules.all_with[pip] & ~self.on_table

    def asks_for_follow_up(self, pip: int) -> bool:
        """Whether the double just laid needs another tile after it."""
        options = self.rules.options
        if not options.opens_doubles or self.is_out(self.turn):
            return False
        is_lifted = options.lifts_dead_doubles and self.is_dead(pip)
        return not (is_lifted and options.dead_double_ends_turn(self.doubles))

    def goes_on_covering(self) -> bool:
        """Whether a seat that has covered a double goes on with the next.

        If so, its own doubles bind it like earlier ones.
        """
        if not self.rules.options.coverer_goes_on or self.is_out(self.turn):
            return False
        doubles, self.doubles = self.doubles, 0
        if self.binding(self.turn):
            return True
        self.doubles = doubles
        return False

    def draw(self) -> int:
        """The next tile of the boneyard joins the hand. Returns the tile's place in the numbering."""
        self.left -= 1
        at = self.boneyard[self.left]
        self.hands[self.turn] |= BITS[at]
        self.counts[self.turn] += 1
        self.draws += 1
        return at

    def give_up(self) -> None:
        """A pass: mark the seat's train unless the options spare it, and end its turn."""
        mover = self.turn
        self.pass_on()
        if not self.counts[mover] or not self.left or self.rules.may_wait_for_end:
            self.settle(mover, has_passed=True)

    def pass_on(self) -> None:
        """Apply a pass without checking whether the round is over."""
        seat, rules = self.turn, self.rules
        is_marked = rules.marks[self.laid > 0][not self.left]
        if is_marked and not (rules.options.spares_layer and self.is_asked_to_cover_own()):
            self.marked |= 1 << seat
            self.open |= 1 << seat
        self.passed |= 1 << seat
        self.go_to_next()

    def is_asked_to_cover_own(self) -> bool:
        if self.owes_follow_up():
            return True
        target = self.target(self.turn)
        if target is None or target[1] != self.turn:
            return False
        return self.train_to_cover(self.turn, target) == target[0]

    def call(self, seat: int) -> None:
        """The called seat draws its penalty, as far as the boneyard goes."""
        kept = max(self.left - self.rules.options.penalty_tiles, 0)
        taken, self.left = self.boneyard[kept : self.left], kept
        self.counts[seat] += len(taken)
        self.hands[seat] |= sum(BITS[at] for at in taken)
        self.exposed = None

    def end_first_turn(self) -> None:
        """End a long first turn because the seat chose to."""
        self.end_turn()

    def end_turn(self) -> None:
        """The next seat's turn after a tile was laid, unless the round is over."""
        mover = self.turn
        self.go_to_next()
        if not self.counts[mover] or self.rules.may_wait_for_end:
            self.settle(mover, has_passed=False)

    def go_to_next(self) -> None:
        seat, rules = self.turn, self.rules
        self.turn = following = seat + 1 if seat + 1 < self.seats else 0
        self.had_first |= 1 << seat
        if self.opened and rules.may_lapse:
            self.lapse(following)
        if self.must_announce:
            self.answer_for_last_tile(seat)
        if self.laid or self.draws:
            self.laid = self.doubles = self.fresh = self.draws = 0
            self.has_used_draw = False

    def lapse(self, following: int) -> None:
        """Remove the doubles that bind nobody any more now that the following seat is to move."""
        if self.rules.options.lapses_at_once:
            self.opened = []
        else:
            self.opened = [each for each in self.opened if each[1] != following]

    def answer_for_last_tile(self, seat: int) -> None:
        is_announced = self.announced >> seat & 1
        if self.counts[seat] != 1:
            self.announced &= ~(1 << seat)
        self.exposed = seat if self.counts[seat] == 1 and not is_announced else None

    def settle(self, mover: int, *, has_passed: bool) -> None:
        """Set the seat that is out, and end the round if it is over."""
        rules, seats = self.rules, self.seats
        if self.out == NOBODY and 0 in self.counts:
            order = [*range(mover, seats), *range(mover)]
            self.out = next((seat for seat in order if self.is_out(seat)), NOBODY)
        if self.out != NOBODY:
            is_waiting = rules.options.finishes_first_lap and self.had_first != rules.everybody
            self.ended = self.ended if is_waiting else OUT
        elif has_passed and not self.left and self.is_blocked():
            self.ended = BLOCKED

    def is_out(self, seat: int) -> bool:
        if self.counts[seat]:
            return False
        return not self.rules.options.last_double_must_be_covered or all(each[1] != seat for each in self.opened)

    def is_blocked(self) -> bool:
        rules = self.rules
        if rules.needs_lap and self.passed != rules.everybody:
            return False
        if not rules.options.needs_nobody_able:
            return True
        if rules.options.looks_past_passes:
            return not self.do_passes_lead_on()
        return not any(self.playable(seat) for seat in range(self.seats))

    def do_passes_lead_on(self) -> bool:
        """Whether a seat could lay a tile or would be out within two laps of nothing but passes."""
        imagined = FastRound.__new__(FastRound)
        self.copy_to(imagined)
        for _ in range(2 * self.seats):
            if imagined.playable(imagined.turn):
                return True
            imagined.pass_on()
            if any(map(imagined.is_out, range(self.seats))):
                return True
        return False

    def points(self) -> list[int]:
        """What each seat scores once the round is over."""
        options = self.rules.options
        points = [self.hand_points(hand) for hand in self.hands]
        if self.ended == BLOCKED:
            lowest = min(points)
            return (
                [0 if each == lowest else each for each in points]
                if options.lowest_of_blocked_scores_nothing
                else points
            )
        points[self.out] = options.points_for_going_out
        return points

    def hand_points(self, hand: int) -> int:
        values, total = self.rules.points, 0
        while hand:
            at = hand.bit_length() - 1
            total += values[at]
            hand ^= BITS[at]
        return total
