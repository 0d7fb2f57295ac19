"""A second game for the tests, block dominoes: all that it takes to be one."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, NamedTuple

from rules import errors
from rules.errors import IllegalMove, NotForSeats, UnreadableText
from rules.game import Deal, Ended, EndedRound, Facts, Game, Level, totals
from rules.sentences import Sentence
from rules.thinking import Chance, Guard
from rules.tiles import Tile, parse_tile, set_of, tile_text, tiles_in

TARGET = 100


class Reason(errors.Reason):
    CANNOT = "cannot"

    @property
    def sentence(self) -> str:
        return "This seat cannot make this move."


class Rules(NamedTuple):
    highest_pip: int = 6

    def as_dict(self) -> dict[str, Any]:
        return {}


class Line(NamedTuple):
    """One line of tiles with two ends. ``passes`` counts the passes since the last tile."""

    hands: tuple[int, ...]
    turn: int
    ends: tuple[int, ...] = ()
    passes: int = 0
    boneyard: tuple[Tile, ...] = ()

    @property
    def out(self) -> int | None:
        return self.hands.index(0) if 0 in self.hands else None

    @property
    def ended(self) -> Ended | None:
        if self.out is not None:
            return Ended.OUT
        return Ended.BLOCKED if self.passes == len(self.hands) else None

    def legal(self) -> tuple[str, ...]:
        if self.ended:
            return ()
        places = enumerate(self.ends, 1) if self.ends else [(0, None)]
        fits = [(tile, arm) for arm, end in places for tile in tiles_in(self.hands[self.turn]) if joins(tile, end)]
        return tuple(f"{tile_text(tile)}>{arm}" for tile, arm in fits) or ("pass",)


def joins(tile: Tile, end: int | None) -> bool:
    return end is None or end in (tile.high, tile.low)


class Seen(NamedTuple):
    turn: int
    hand: int
    hand_counts: tuple[int, ...]
    legal_moves: tuple[str, ...]
    ended: Ended | None
    ends: tuple[int, ...]
    phase: str = "play"
    hands: tuple[int, ...] | None = None
    boneyard_count: int = 0


class BlockDominoes(Game[Rules, Line, str, Seen]):
    name, version, seats = "block_dominoes", 1, range(2, 5)
    presets: ClassVar[Mapping[str, str]] = {"block": "Block dominoes"}
    levels: ClassVar[Mapping[str, Level]] = {}
    option_names, phases, reasons, move_types = (), ("play",), tuple(Reason), ("play", "pass")

    def options_of(self, preset: str, overrides: Mapping[str, object]) -> Rules:
        for option, value in overrides.items():
            self.read_option(option, value)
        return Rules()

    def stored_options(self, stored: Mapping[str, Any]) -> Rules:
        return Rules()

    def hand_size(self, options: Rules, seats: int) -> int:
        if seats not in self.seats:
            raise NotForSeats(Sentence("too many."))
        return 7 if seats == 2 else 5

    def dealt(self, options: Rules, seats: int, order: Sequence[Tile], facts: Facts) -> Line:
        size = self.hand_size(options, seats)
        hands = (set_of(order[seat * size : (seat + 1) * size]) for seat in range(seats))
        return Line(tuple(hands), facts["first_seat"])

    def deal(
        self, options: Rules, seats: int, order: Sequence[Tile], earlier: Sequence[EndedRound], lot: Callable[[], int]
    ) -> Deal[Line]:
        facts = {"first_seat": (earlier[-1].facts["first_seat"] + 1) % seats if earlier else lot()}
        state = self.dealt(options, seats, order, facts)
        return Deal(facts, state.hands, state)

    def round_count(self, options: Rules) -> None:
        return None

    def is_over(self, options: Rules, points_by_round: Sequence[Sequence[int]]) -> bool:
        return max(totals(points_by_round, len(points_by_round[0]))) >= TARGET

    def round_points(self, state: Line) -> tuple[int, ...]:
        pips = [sum(tile.pips for tile in tiles_in(hand)) for hand in state.hands]
        winner = pips.index(min(pips))
        return tuple(sum(pips) - pips[winner] if seat == winner else 0 for seat in range(len(pips)))

    def winners(self, options: Rules, points_by_round: Sequence[Sequence[int]], may_win: Sequence[bool]) -> list[int]:
        most = max(total for total, may in zip(totals(points_by_round, len(may_win)), may_win, strict=True) if may)
        return [seat for seat, total in enumerate(totals(points_by_round, len(may_win))) if total == most]

    def parse(self, text: str) -> str:
        if text != "pass" and not text.partition(">")[2].isdigit():
            raise UnreadableText(Sentence("This is not a move."))
        return text

    def text(self, move: str) -> str:
        return move

    def type_of(self, move: str) -> str:
        return "pass" if move == "pass" else "play"

    def apply(self, state: Line, move: str) -> Line:
        if move not in state.legal():
            raise IllegalMove(Reason.CANNOT)
        turn = (state.turn + 1) % len(state.hands)
        if move == "pass":
            return state._replace(turn=turn, passes=state.passes + 1)
        text, _, arm = move.partition(">")
        tile = parse_tile(text)
        ends = [tile.high, tile.low] if arm == "0" else list(state.ends)
        if arm != "0":
            ends[int(arm) - 1] = tile.other_end(ends[int(arm) - 1])
        hands = [hand & ~tile.bit if seat == state.turn else hand for seat, hand in enumerate(state.hands)]
        return Line(tuple(hands), turn, tuple(ends))

    def clocks_move(self, state: Line) -> str:
        return state.legal()[0]

    def view(self, state: Line, seat: int | None) -> Seen:
        hand, legal = (0, ()) if seat is None else (state.hands[seat], state.legal() if seat == state.turn else ())
        return Seen(state.turn, hand, tuple(map(int.bit_count, state.hands)), legal, state.ended, state.ends)

    def choose(self, level: str, view: Seen, chance: Chance, guard: Guard) -> str:
        return view.legal_moves[chance(len(view.legal_moves))]
