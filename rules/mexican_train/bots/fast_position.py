"""One position of the fast copy of the rules: its facts, and the legal moves of the seat to move.

Trains are numbered by seat. The Mexican Train comes last, so that the index ``MEXICAN`` finds it too. Sets of seats and
of trains hold one bit each. A tile is its place in the numbering of ``rules.tiles``. The end that a tile leaves free is
the sum of both ends minus the end laid against the train.
"""

from collections.abc import Sequence

from rules.mexican_train.bots.fast_rules import FastRules
from rules.mexican_train.moves import ANNOUNCE, DRAW, END, MEXICAN, PASS, Call, Move, Play
from rules.mexican_train.view import View
from rules.tiles import DOUBLES, WITH_PIP, TileSet, tiles_in

NOBODY = -1
GOING_ON, OUT, BLOCKED = 0, 1, 2


class Position:
    """The complete state of a round, in the words of ``rules.mexican_train.state``.

    ``opened`` holds pairs of train and layer. ``open`` is the set of trains that a marker or the options open to
    others. The ``boneyard`` is drawn from its end, and ``left`` counts the tiles that remain.
    """

    __slots__ = (
        *("rules", "seats", "turn", "ends", "started", "marked", "open", "on_table"),
        *("hands", "counts", "boneyard", "left"),
        *("opened", "laid", "doubles", "fresh", "draws", "has_used_draw"),
        *("had_first", "played_own", "announced", "exposed", "must_announce", "passed", "out", "ended"),
    )

    def __init__(self, rules: FastRules, view: View) -> None:
        """The position that a seat knows. Unknown hands and the boneyard are empty until a world fills them."""
        self.rules, self.seats, self.turn = rules, rules.seats, view.turn
        self.take_trains(view)
        self.hands = [view.hand if seat == view.seat else 0 for seat in range(rules.seats)]
        self.counts = list(view.hand_counts)
        self.boneyard: Sequence[int] = ()
        self.left = view.boneyard_count
        self.opened = [(each.train % (rules.seats + 1), each.layer) for each in (*view.open_doubles, *view.unshown)]
        self.laid, self.doubles, self.fresh = view.progress.laid, view.progress.doubles, view.progress.fresh
        self.draws, self.has_used_draw = view.progress.draws, view.progress.has_used_draw
        self.had_first, self.played_own = view.standing.had_first_turn, view.standing.played_own
        self.announced, self.exposed = view.standing.announced, view.standing.exposed
        self.must_announce = rules.options.must_announce
        self.passed, self.ended = view.passed, GOING_ON
        self.out = NOBODY if view.standing.out is None else view.standing.out

    def copy_to(self, other: "Position") -> None:
        """Make another position equal to this one. Lists that change in place are copied, the rest is shared."""
        other.counts, other.ends, other.hands = self.counts[:], self.ends[:], self.hands[:]
        other.rules, other.seats, other.turn, other.opened = self.rules, self.seats, self.turn, self.opened
        other.marked, other.open, other.started, other.on_table = self.marked, self.open, self.started, self.on_table
        other.boneyard, other.left, other.passed = self.boneyard, self.left, self.passed
        other.laid, other.doubles, other.fresh = self.laid, self.doubles, self.fresh
        other.draws, other.has_used_draw = self.draws, self.has_used_draw
        other.had_first, other.played_own = self.had_first, self.played_own
        other.announced, other.exposed, other.must_announce = self.announced, self.exposed, self.must_announce
        other.ended, other.out = self.ended, self.out

    def take_trains(self, view: View) -> None:
        rules = self.rules
        self.ends = [each.end for each in view.trains]
        self.started = sum(1 << train for train, each in enumerate(view.trains) if each.tiles)
        self.marked = sum(1 << train for train, each in enumerate(view.trains) if each.is_marked)
        played = view.standing.played_own
        public = sum(1 << seat for seat in range(rules.seats) if rules.is_public[played >> seat & 1])
        self.open = self.marked | public | (rules.mexican if rules.options.has_mexican_train else 0)
        self.on_table = view.on_table

    # The legal moves of the seat to move.

    def available(self, seat: int) -> int:
        """The trains besides its own that a seat may lay on while no double must be covered or followed up."""
        if self.rules.is_plain:
            return self.open & ~(1 << seat)
        return self.available_by_options(seat)

    def available_by_options(self, seat: int) -> int:
        rules, options, started = self.rules, self.rules.options, self.started
        is_first, is_unstarted = not self.had_first >> seat & 1, not started >> seat & 1
        others = self.open & rules.everybody & ~(1 << seat)
        if not options.may_start_others_train:
            others &= started
        are_all = started & rules.everybody == rules.everybody
        if options.waits_for_all_trains and not are_all:
            return 0
        if (is_first and not options.first_turn_may_use_others) or (is_unstarted and options.own_train_before_others):
            others = 0
        is_mexican_closed = (
            (is_first and not options.first_turn_may_use_mexican)
            or not (started & rules.mexican or rules.may_start_mexican[is_first][are_all])
            or (is_unstarted and options.own_train_before_mexican)
        )
        return others if is_mexican_closed else others | self.open & rules.mexican

    def is_in_long_first_turn(self) -> bool:
        return self.rules.has_long_first_turn and not self.had_first >> self.turn & 1

    def owes_follow_up(self) -> bool:
        return self.doubles > 0 and not self.is_in_long_first_turn()

    def binding(self, seat: int) -> list[tuple[int, int]]:
        """The open doubles of earlier turns that bind a seat, and its own of this turn after a cover; oldest first."""
        options = self.rules.options
        if options.always_binds_everybody and not self.fresh:
            return self.opened
        left = len(self.opened) - self.fresh
        earlier, fresh = self.opened[:left], self.opened[left:]
        if options.defers_first_doubles and self.had_first != self.rules.everybody:
            earlier = []
        bound = [each for each in earlier if options.binds(is_layer=each[1] == seat)]
        return bound if self.doubles else bound + fresh

    def target(self, seat: int) -> tuple[int, int] | None:
        """The double that a seat must cover before it lays anything else."""
        bound = self.binding(seat) if self.opened else None
        if not bound:
            return None
        return bound[-1] if self.rules.options.closes_newest_first else bound[0]

    def train_to_cover(self, seat: int, target: tuple[int, int]) -> int:
        is_unstarted = not self.started >> seat & 1
        return seat if is_unstarted and self.rules.options.own_train_before_covering else target[0]

    def playable(self, seat: int) -> list[tuple[int, TileSet]]:
        """The tiles that a seat could lay if it were its turn, by train."""
        hand, ends = self.hands[seat], self.ends
        if target := self.target(seat):
            train = self.train_to_cover(seat, target)
            covers = hand & WITH_PIP[ends[train]]
            return [(train, covers)] if covers else []
        trains = self.available(seat) | 1 << seat
        if self.owes_follow_up():
            return self.follow_ups(hand, trains)
        return [
            (train, hand & WITH_PIP[end])
            for train, end in enumerate(ends)
            if trains >> train & 1 and hand & WITH_PIP[end]
        ]

    def follow_ups(self, hand: TileSet, trains: int) -> list[tuple[int, TileSet]]:
        """What may follow the doubles of this turn: a further double on one of these trains, or the tile owed."""
        options, opened = self.rules.options, self.opened
        is_anywhere = self.fresh == 0 or options.may_follow_up_anywhere(self.doubles)
        owed_trains = trains if is_anywhere else 0
        for train, _ in options.doubles_to_follow_up(tuple(opened[len(opened) - self.fresh :])):
            owed_trains |= 1 << train
        doubles = hand & DOUBLES if options.may_lay_another_double(self.doubles) else 0
        others, found = hand & ~DOUBLES, []
        for train, end in enumerate(self.ends):
            allowed = doubles if trains >> train & 1 else 0
            if owed_trains >> train & 1:
                allowed |= others
            if tiles := allowed & WITH_PIP[end]:
                found.append((train, tiles))
        return found

    def has_draw_left(self, *, is_able: bool) -> bool:
        """Whether the boneyard has a tile, and this turn may still draw."""
        if not self.left or self.has_used_draw:
            return False
        if not self.draws:
            return True
        is_unstarted = not self.started >> self.turn & 1
        return not is_able and self.draws < self.rules.most_draws[is_unstarted]

    def legal_moves(self) -> list[Move]:
        """The legal moves of the seat to move, as ``rules.mexican_train.legality`` lists them."""
        if self.ended:
            return []
        plays = self.playable(self.turn)
        moves = list[Move]()
        for train, tiles in plays:
            for tile in tiles_in(tiles):
                moves.append(Play(tile, MEXICAN if train == self.seats else train))
                if train == self.turn and self.marked >> train & 1 and self.rules.options.may_keep_marker:
                    moves.append(Play(tile, train, keep_marker=True))
        moves += self.other_moves(is_able=bool(plays))
        if self.may_announce(is_able=bool(plays)):
            moves.append(ANNOUNCE)
        if self.exposed is not None and self.exposed != self.turn:
            moves.append(Call(self.exposed))
        return moves

    def other_moves(self, *, is_able: bool) -> tuple[Move, ...]:
        if self.laid and self.is_in_long_first_turn():
            return (END,)
        if not is_able or self.rules.options.may_decline:
            return (DRAW,) if self.has_draw_left(is_able=is_able) else (PASS,)
        return (PASS,) if self.draws and self.rules.options.may_keep_drawn else ()

    def may_announce(self, *, is_able: bool) -> bool:
        if not self.must_announce or self.announced >> self.turn & 1:
            return False
        count = self.counts[self.turn]
        return count == 1 or (count == 2 and is_able)
