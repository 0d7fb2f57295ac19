"""Mexican Train as a ``Game``, in each version that this server plays. A table keeps its version (``rules.md`` §7)."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar

from rules.errors import BadMoveField, IllegalMove
from rules.game import Deal, EndedRound, Facts, Game, Level, Log, Verdict, totals
from rules.mexican_train import bots, explaining, legality, log, match, notation, transitions
from rules.mexican_train.bots.choice import Choice
from rules.mexican_train.dealing import Dealt, EngineFound, choose_engine, deal, engine_found, hands_dealt
from rules.mexican_train.first_version import by_first_version
from rules.mexican_train.knowledge import known_after
from rules.mexican_train.moves import PASS, Call, Draw, Move, Play
from rules.mexican_train.options import (
    FEWEST_SEATS,
    MOST_SEATS,
    OPTIONS,
    Options,
    hand_size,
    must_suit,
    read_each,
    resolve,
)
from rules.mexican_train.presets import PRESETS, overrides_over, rules_of
from rules.mexican_train.reasons import Reason
from rules.mexican_train.scoring import round_points
from rules.mexican_train.state import State
from rules.mexican_train.view import Phase, View, view_for
from rules.sentences import Sentence
from rules.thinking import Chance, Guard
from rules.tiles import Tile

KEEP_MARKER = "keep_marker"
CANNOT_KEEP = Sentence(
    "Only a play on your own marked train can keep the marker, and only if the rules of the table allow it."
)


class MexicanTrain(Game[Options, State, Move, View]):
    """The current version of the rules. An earlier version is a subclass that states only its differences."""

    name: ClassVar[str] = "mexican_train"
    presets: ClassVar[Mapping[str, str]] = {preset.name: preset.title for preset in PRESETS.values()}
    option_names: ClassVar[Sequence[str]] = tuple(OPTIONS)
    seats: ClassVar[range] = range(FEWEST_SEATS, MOST_SEATS + 1)
    levels: ClassVar[Mapping[str, Level]] = {
        bot.level: Level(bot.level, bot.likes, bot.typical_ms) for bot in bots.BOTS.values()
    }
    phases: ClassVar[Sequence[str]] = tuple(phase.value for phase in Phase)
    reasons: ClassVar[Sequence[Reason]] = tuple(Reason)
    move_types: ClassVar[Sequence[str]] = ("play", "draw", "pass", "end", "announce", "call")
    version: ClassVar[int] = 2

    def own_options(self, options: Options) -> Options:
        """The same options, with the answers of this version to the questions about them."""
        return options

    def read_option(self, option: str, value: object) -> object:
        return read_each({option: value})[option]

    def options_of(self, preset: str, overrides: Mapping[str, object]) -> Options:
        return rules_of(preset, overrides)

    def stored_options(self, stored: Mapping[str, Any]) -> Options:
        return self.own_options(resolve(stored))

    def overrides_over(self, preset: str, options: Options) -> dict[str, object]:
        return overrides_over(preset, options)

    def hand_size(self, options: Options, seats: int) -> int:
        return hand_size(options, seats)

    def must_suit(self, options: Options, seats: int) -> None:
        must_suit(options, seats)

    def deal(
        self, options: Options, seats: int, order: Sequence[Tile], earlier: Sequence[EndedRound], lot: Callable[[], int]
    ) -> Deal[State]:
        standing = totals((each.points for each in earlier), seats)
        first = self.first_seat_of(options, seats, len(earlier), self.first_of_all(options, earlier, lot), standing)
        used = [each.facts["engine"] for each in earlier]
        engine = self.choose_engine(options, seats, len(earlier), used, first, order)
        state = self.dealt(options, seats, order, {"engine": engine, "first_seat": first})
        facts = {"first_seat": first, "engine": engine, "starter": state.turn}
        return Deal(facts, self.hands_dealt(options, seats, engine, order).hands, state)

    def first_of_all(self, options: Options, earlier: Sequence[EndedRound], lot: Callable[[], int]) -> int:
        """The first seat of the first round."""
        if earlier:
            first: int = earlier[0].facts["first_seat"]
            return first
        return lot() if options.draws_first_seat else options.first_seat_chosen

    def first_seat_of(self, options: Options, seats: int, round_index: int, first: int, standing: Sequence[int]) -> int:
        return match.first_seat_of(options, seats, round_index, first, standing)

    def choose_engine(
        self,
        options: Options,
        seats: int,
        round_index: int,
        used: Collection[int],
        first: int,
        order: Sequence[Tile],
    ) -> int:
        return choose_engine(options, seats, round_index, used, first, order)

    def hands_dealt(self, options: Options, seats: int, engine: int, order: Sequence[Tile]) -> Dealt:
        return hands_dealt(options, seats, engine, order)

    def dealt(self, options: Options, seats: int, order: Sequence[Tile], facts: Facts) -> State:
        return deal(self.own_options(options), seats, facts["engine"], facts["first_seat"], order)

    def engine_found(self, options: Options, seats: int, order: Sequence[Tile], facts: Facts) -> EngineFound:
        """How a round got its engine."""
        return engine_found(options, seats, facts["engine"], facts["first_seat"], order)

    def public_facts(self, facts: Facts) -> dict[str, Any]:
        return {"engine": f"{facts['engine']}-{facts['engine']}", "starter": facts["starter"]}

    def round_count(self, options: Options) -> int:
        return options.round_count

    def round_points(self, state: State) -> tuple[int, ...]:
        return round_points(state)

    def winners(self, options: Options, points_by_round: Sequence[Sequence[int]], may_win: Sequence[bool]) -> list[int]:
        return match.winners(options, points_by_round, may_win)

    def parse(self, text: str) -> Move:
        return notation.parse_move(text)

    def text(self, move: Move) -> str:
        return notation.move_text(move)

    def type_of(self, move: Move) -> str:
        match move:
            case Play():
                return "play"
            case Call():
                return "call"
        return notation.move_text(move)

    def apply(self, state: State, move: Move) -> State:
        return transitions.apply(state, move)

    def replay(self, state: State, moves: Iterable[Move]) -> State:
        return log.replay(state, moves)

    def check(self, state: State, seat: int, move: Move) -> None:
        if isinstance(move, Call) and move not in legality.legal_moves_of(state, seat):
            raise IllegalMove(Reason.NOTHING_TO_CALL)
        if isinstance(move, Play) and move.keep_marker and not legality.is_marker_to_keep(state, move.train):
            raise BadMoveField(KEEP_MARKER, CANNOT_KEEP)

    def is_out_of_turn(self, move: Move) -> bool:
        return isinstance(move, Call)

    def may_make(self, move: Move, seat: int) -> bool:
        return isinstance(move, Call) and move.seat != seat

    def drawer(self, move: Move, seat: int) -> int | None:
        match move:
            case Draw():
                return seat
            case Call(seat=called):
                return called
        return None

    def forced_pass(self, state: State) -> Move | None:
        return PASS if legality.legal_moves(state) == [PASS] else None

    def clocks_move(self, state: State) -> Move:
        return legality.clocks_move(state)

    def explain(self, state: State) -> Iterator[Verdict[Move]]:
        return explaining.explain(state)

    def view(self, state: State, seat: int | None) -> View:
        return view_for(state, seat)

    def bots_view(self, state: State, level: str, log: Log[State, Move]) -> View:
        known = known_after(log.dealt(), log.moves) if bots.BOTS[level].reads_history else None
        return view_for(state, state.turn, known)

    def choose(self, level: str, view: View, chance: Chance, guard: Guard) -> Move:
        return bots.choose(level, view, chance, guard)

    def advise(self, level: str, view: View, chance: Chance, guard: Guard) -> tuple[Move, Choice]:
        choice = bots.advise(level, view, chance, guard)
        return choice.move, choice


class FirstMexicanTrain(MexicanTrain):
    """Version 1: only its options answer in another way."""

    version: ClassVar[int] = 1

    def own_options(self, options: Options) -> Options:
        return by_first_version(options)


# A change that gives an old log another result is a new version.
VERSIONS: Mapping[int, MexicanTrain] = {1: FirstMexicanTrain(), 2: MexicanTrain()}
