"""Properties of every round: random rules, random deals, random legal moves; ten thousand rounds in batches."""

import random
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import combinations

import pytest

from rules import errors
from rules.errors import IllegalMove
from rules.game import Ended
from rules.mexican_train.dealing import engine_found
from rules.mexican_train.explaining import explain
from rules.mexican_train.legality import legal_moves, legal_moves_of, why_not
from rules.mexican_train.log import replay
from rules.mexican_train.moves import ANNOUNCE, DRAW, END, MEXICAN, PASS, Announce, Call, Draw, End, Move, Pass, Play
from rules.mexican_train.notation import move_text, parse_move, parse_position, position_text
from rules.mexican_train.options import MOST_SEATS, OPTIONS, Options
from rules.mexican_train.presets import PRESETS, differences_of, rules_of
from rules.mexican_train.reasons import Reason
from rules.mexican_train.scoring import round_points
from rules.mexican_train.state import State, is_dead, is_first_lap_over
from rules.mexican_train.transitions import apply
from rules.tiles import SET_SIZES, Tile, double, double_set, set_of, set_size, tiles_in
from tests.cases import slow_after
from tests.rules.random_rules import ONE_OF, RandomDeal, random_deal, random_play

pytestmark = pytest.mark.by_chance

BATCHES = 50
ROUNDS_A_BATCH = 200

AFTER_A_TURN = {"open_doubles", "turn", "had_first_turn", "announced", "exposed", "first_out", "progress", "ended"}
MAY_CHANGE: dict[type, set[str]] = {
    Play: {"tiles", "ends", "marked", "hands", "on_table", "played_own", "passed"} | AFTER_A_TURN,
    Draw: {"hands", "boneyard", "progress"},
    Pass: {"marked", "passed"} | AFTER_A_TURN,
    End: AFTER_A_TURN,
    Announce: {"announced"},
    Call: {"hands", "boneyard", "exposed"},
}
STATE_FIELDS = tuple(State.__annotations__)
ONE_DOUBLE_AT_A_TIME = {
    "double_obligation": "table",
    "doubles_per_turn": 1,
    "first_turn_double": "normal",
    "first_turn_length": "one",
}
"""Where these are as in *classic*, an open double is covered before the next is laid."""


@dataclass(frozen=True)
class Played:
    """A round played at random: every state that it went through, and the moves between them."""

    states: list[State]
    moves: list[Move]

    @property
    def over(self) -> State:
        return self.states[-1]


def random_round(batch: int, number: int) -> tuple[RandomDeal, random.Random]:
    """The same in every run: a failure on one machine is a failure on all."""
    chance = random.Random(f"properties {batch} {number}")
    return random_deal(chance), chance


@contextmanager
def told_with(options: Options, moves: list[Move]) -> Iterator[None]:
    """Adds the rules and the moves to every failure in the block."""
    try:
        yield
    except AssertionError as failure:
        failure.add_note(f"{differences_of(options)}\n{', '.join(map(move_text, moves))}")
        raise


def check_round(dealt: State, chance: random.Random) -> Played:
    """A round from its deal to its end: the cheap things at every step, the others at one state of it."""
    played = Played([dealt], [])
    with told_with(dealt.setup.options, played.moves):
        check_state(dealt)
        for before, move, after in random_play(dealt, chance):
            played.moves.append(move)
            played.states.append(after)
            check_state(after)
            check_step(before, move, after)
        check_over(played)
        check_replay(played, chance.randrange(len(played.states)))
        check_closely(chance.choice(played.states))
    return played


# What is true of every state.


def check_state(state: State) -> None:
    check_every_tile_is_in_one_place(state)
    check_an_open_double_ends_its_train(state)
    check_open_doubles_can_be_covered(state)
    check_one_double_at_a_time(state)
    check_an_empty_hand_is_out_or_waits(state)
    assert not state.trains[MEXICAN].is_marked


def check_every_tile_is_in_one_place(state: State) -> None:
    laid = [tile for train in state.trains for tile in train.tiles]
    assert state.on_table == double(state.setup.engine).bit | set_of(laid)
    held = everywhere = 0
    for hand in state.hands:
        held += hand.bit_count()
        everywhere |= hand
    size = set_size(state.setup.options.highest_pip)
    assert 1 + len(laid) + held + len(state.boneyard) == size
    assert everywhere | state.on_table | set_of(state.boneyard) == (1 << size) - 1


def check_an_open_double_ends_its_train(state: State) -> None:
    for each in state.open_doubles:
        assert state.trains[each.train].tiles[-1].is_double
        assert 0 <= each.layer < state.setup.seats
    assert len({each.train for each in state.open_doubles}) == len(state.open_doubles)
    assert 0 <= state.progress.fresh <= min(state.progress.laid, len(state.open_doubles))


def check_open_doubles_can_be_covered(state: State) -> None:
    """Unless dead doubles stay where they are."""
    if state.setup.options.lifts_dead_doubles:
        for each in state.open_doubles:
            assert not is_dead(state.on_table, state.trains[each.train].end, state.setup)


def check_one_double_at_a_time(state: State) -> None:
    assert len(state.open_doubles) <= 1 or not has_one_double_at_a_time(state.setup.options)


def has_one_double_at_a_time(options: Options) -> bool:
    return all(getattr(options, option) == value for option, value in ONE_DOUBLE_AT_A_TIME.items())


def check_an_empty_hand_is_out_or_waits(state: State) -> None:
    """It waits for the first lap to be finished, or for a double that it laid to be covered, where the rules say so."""
    if state.ended is Ended.OUT:
        assert state.out is not None
        assert state.hands[state.out] == 0
        assert not waits_for_cover(state, state.out)
        assert not waits_for_lap(state)
        return
    assert state.out is None
    for seat, hand in enumerate(state.hands):
        assert hand or waits_for_cover(state, seat) or (state.ended is None and waits_for_lap(state))


def waits_for_cover(state: State, seat: int) -> bool:
    must_cover = state.setup.options.finish_on_double == "must_cover"
    return must_cover and any(each.layer == seat for each in state.open_doubles)


def waits_for_lap(state: State) -> bool:
    return state.setup.options.first_turn_out == "finish_lap" and not is_first_lap_over(state)


# What is true of every move.


def check_step(before: State, move: Move, after: State) -> None:
    check_a_move_changes_only_what_it_is_about(before, move, after)
    check_hands_and_boneyard(before, move, after)
    check_trains(before, move, after)
    assert after.turn in (before.turn, (before.turn + 1) % before.setup.seats)
    if isinstance(move, Play):
        check_the_tile_fits(before, move, after)
        check_a_double_is_never_first_nor_a_cover(before, move)


def check_a_move_changes_only_what_it_is_about(before: State, move: Move, after: State) -> None:
    changed = {name for name in STATE_FIELDS if getattr(before, name) != getattr(after, name)}
    assert changed <= MAY_CHANGE[type(move)]
    assert changed


def check_hands_and_boneyard(before: State, move: Move, after: State) -> None:
    """Tiles drawn are the front of the boneyard, and go to the one seat that they are for."""
    hands, taken = list(before.hands), 0
    match move:
        case Play():
            assert hands[before.turn] & move.tile.bit
            hands[before.turn] ^= move.tile.bit
        case Draw():
            taken = 1
            hands[before.turn] |= before.boneyard[0].bit
        case Call():
            taken = before.setup.options.penalty_tiles
            hands[move.seat] |= set_of(before.boneyard[:taken])
    assert after.hands == hands
    assert after.boneyard == before.boneyard[taken:]


def check_trains(before: State, move: Move, after: State) -> None:
    """Tiles join the train of a play; the marker of the seat's own train comes with a pass and goes with a play."""
    laid_on = place(before, move.train) if isinstance(move, Play) else None
    for name, (was, now) in enumerate(zip(before.trains, after.trains, strict=True)):
        if name != laid_on:
            assert (now.tiles, now.end) == (was.tiles, was.end)
        if now.is_marked != was.is_marked:
            assert name == before.turn
            assert now.is_marked is isinstance(move, Pass)


def place(state: State, train: int) -> int:
    """Where a train is among the trains: the Mexican one is the last."""
    return state.setup.seats if train == MEXICAN else train


def check_the_tile_fits(before: State, play: Play, after: State) -> None:
    """A train is its tiles end to end: the tile laid bears the old end, and its other pip is the new one."""
    was, now = before.trains[play.train], after.trains[play.train]
    assert now.tiles == (*was.tiles, play.tile)
    assert sorted((was.end, now.end)) == [play.tile.low, play.tile.high]


def check_a_double_is_never_first_nor_a_cover(before: State, play: Play) -> None:
    if play.tile.is_double:
        train = before.trains[play.train]
        assert train.tiles
        assert not train.tiles[-1].is_double


# What is true of a whole round.


def check_over(played: Played) -> None:
    """``random_play`` has seen to it that there was always something to do, and that it came to an end in time."""
    over = played.over
    assert over.ended is not None
    assert all(state.ended is None for state in played.states[:-1])
    for seat in range(over.setup.seats):
        assert list(legal_moves_of(over, seat)) == []
    check_trains_are_connected(over)
    check_points_are_those_of_the_hands(over)


def check_trains_are_connected(state: State) -> None:
    for train in state.trains:
        end = state.setup.engine
        for tile in train.tiles:
            assert end in (tile.high, tile.low)
            end = tile.low if end == tile.high else tile.high
        assert end == train.end


def check_points_are_those_of_the_hands(over: State) -> None:
    options = over.setup.options
    counted = [sum(points_of(options, tile) for tile in tiles_in(hand)) for hand in over.hands]
    if over.out is not None:
        assert counted[over.out] == 0
        counted[over.out] = options.going_out_points
    elif options.blocked_lowest_zero:
        counted = [0 if each == min(counted) else each for each in counted]
    assert list(round_points(over)) == counted


def points_of(options: Options, tile: Tile) -> int:
    """What a tile counts that is left in a hand, straight from the table of ``rules.md`` §5."""
    if tile is double(0):
        return options.double_blank_points
    if tile.high == tile.low:
        return 2 * tile.high * options.double_factor
    return tile.high + tile.low + (0 if tile.low else options.blank_half_points)


def check_replay(played: Played, middle: int) -> None:
    """The texts of the moves lead to the state in the middle, and from there to the end."""
    texts = [move_text(move) for move in played.moves]
    assert replay(played.states[0], map(parse_move, texts[:middle])) == played.states[middle]
    assert replay(played.states[middle], map(parse_move, texts[middle:])) == played.over


# What is looked at in one state of a round: every move that anybody could think of.


def check_closely(state: State) -> None:
    before = position_text(state)
    listed = list(legal_moves(state))
    assert len(set(listed)) == len(listed)
    check_what_is_listed_is_allowed_and_the_rest_refused(state, set(listed))
    check_keeping_the_marker(state, set(listed))
    check_calls(state)
    check_explanations(state, set(listed))
    check_it_reads_back(state, before)


def every_move(state: State) -> Iterator[Move]:
    """Every tile on every train, also on trains that are not there, and everything else a seat could say."""
    seats = state.setup.seats
    for tile in double_set(state.setup.options.highest_pip):
        for train in (*range(seats), MEXICAN, MEXICAN - 1, seats):
            yield Play(tile, train)
    others: list[Move] = [DRAW, PASS, END, ANNOUNCE, *map(Call, range(-1, seats + 1))]
    yield from others


def check_what_is_listed_is_allowed_and_the_rest_refused(state: State, listed: set[Move]) -> None:
    """``legal_moves`` lists, ``in`` says, ``why_not`` explains and ``apply`` does the same."""
    legal = legal_moves(state)
    for move in every_move(state):
        reason = why_not(state, move)
        is_listed = move in listed
        assert (reason is None) is is_listed, move
        assert (move in legal) is is_listed, move
        assert refusal(state, move) is reason, move


def refusal(state: State, move: Move) -> errors.Reason | None:
    """The error of applying a move; ``None`` if it is accepted."""
    try:
        apply(state, move)
    except IllegalMove as refused:
        return refused.reason
    return None


def check_keeping_the_marker(state: State, listed: set[Move]) -> None:
    """It is offered where there is a marker to keep and a choice; elsewhere it says nothing."""
    has_choice = state.trains[state.turn].is_marked and state.setup.options.may_keep_marker
    for tile in tiles_in(state.hands[state.turn]):
        for train in (*range(state.setup.seats), MEXICAN):
            plain, keeping = Play(tile, train), Play(tile, train, keep_marker=True)
            assert why_not(state, keeping) is why_not(state, plain)
            assert (keeping in listed) is (has_choice and train == state.turn and plain in listed)


def check_calls(state: State) -> None:
    """Anybody but the seat itself may call one that has kept silent; whoever is not to move may do nothing else."""
    exposed = state.standing.exposed
    for seat in range(state.setup.seats):
        may_call = exposed not in (None, seat) and state.ended is None
        calls = [move for move in legal_moves_of(state, seat) if seat != state.turn or isinstance(move, Call)]
        assert calls == ([Call(exposed)] if may_call and exposed is not None else [])


def check_explanations(state: State, listed: set[Move]) -> None:
    verdicts = list(explain(state))
    for each in verdicts:
        assert each.reason is why_not(state, each.move)
        assert each.option is None or (each.reason is not None and each.option in OPTIONS)
    plain = {
        move for move in listed if not isinstance(move, Call) and not (isinstance(move, Play) and move.keep_marker)
    }
    assert {each.move for each in verdicts if each.reason is None} == plain
    assert len({each.move for each in verdicts}) == len(verdicts)


def check_it_reads_back(state: State, before: str) -> None:
    """The position is written the same after all that was tried in it, and means the same when read."""
    assert position_text(state) == before
    assert parse_position(before, state.setup.options) == state


FEW = (0, 20)
ALL = [(batch, ROUNDS_A_BATCH) for batch in range(BATCHES)]


@pytest.mark.parametrize(("batch", "rounds"), slow_after(1, [FEW, *ALL]))
def test_every_property_holds_in_random_rounds_by_random_rules(batch: int, rounds: int) -> None:
    for number in range(rounds):
        dealt, chance = random_round(batch, number)
        check_round(dealt.state, chance)


@pytest.mark.parametrize("preset", slow_after(2, PRESETS))
def test_every_property_holds_by_every_preset_at_every_number_of_seats(preset: str) -> None:
    options = rules_of(preset, {})
    for seats in options.hand_sizes:
        chance = random.Random(f"{preset} {seats}")
        played = check_round(random_deal(chance, (options, seats)).state, chance)
        assert played.over.setup.seats == seats


@pytest.mark.parametrize("seats", slow_after(0, range(2, 9)))
def test_a_classic_round_looked_at_closely_all_along(seats: int) -> None:
    chance = random.Random(f"classic {seats}")
    played = check_round(random_deal(chance, (rules_of("classic", {}), seats)).state, chance)
    for state in played.states[::4]:
        check_closely(state)


def test_a_failure_names_the_rules_and_the_moves() -> None:
    with pytest.raises(AssertionError) as failed, told_with(rules_of("own_first", {}), [DRAW, PASS]):
        raise AssertionError
    assert failed.value.__notes__ == ["{'own_train_required_for': ['mexican']}\ndraw, pass"]


# The properties would say little of rounds that are all of one kind.


@pytest.fixture(scope="module")
def all_deals() -> list[RandomDeal]:
    """Those of every round that the batches play."""
    return [random_round(batch, number)[0] for batch in range(BATCHES) for number in range(ROUNDS_A_BATCH)]


@pytest.mark.slow
def test_the_rounds_are_ten_thousand_of_every_set_and_every_number_of_seats(all_deals: list[RandomDeal]) -> None:
    assert len({dealt.order for dealt in all_deals}) == len(all_deals) == 10_000
    assert {dealt.options.highest_pip for dealt in all_deals} == set(SET_SIZES)
    seats = Counter(dealt.seats for dealt in all_deals)
    assert sorted(seats) == list(range(2, MOST_SEATS + 1))
    assert min(seats.values()) > 100


@pytest.mark.slow
def test_every_two_values_of_two_options_meet_in_some_round(all_deals: list[RandomDeal]) -> None:
    """And so every value of every option occurs, each way to choose an engine with all others."""
    found = {option: rounds_with(option, all_deals) for option in [*ONE_OF, "set_max_pip", "own_train_required_for"]}
    assert {option: set(values) for option, values in found.items() if option in ONE_OF} == {
        option: set(kind.values) for option, kind in ONE_OF.items()
    }
    for (option, values), (other, others) in combinations(found.items(), 2):
        for value, one in values.items():
            for its, another in others.items():
                assert one & another, f"{option} {value} never meets {other} {its}"


def rounds_with(option: str, deals: list[RandomDeal]) -> dict[object, int]:
    """For each value of an option the rounds that have it, one bit a round."""
    found = dict[object, int]()
    for number, dealt in enumerate(deals):
        value = getattr(dealt.options, option)
        found[value] = found.get(value, 0) | 1 << number
    return found


@pytest.mark.slow
def test_first_engines_and_lengths_of_matches_of_every_kind_occur(all_deals: list[RandomDeal]) -> None:
    """With some engines used up in most of the rounds, and none in others."""
    for max_pip in SET_SIZES:
        options = [dealt.options for dealt in all_deals if dealt.options.highest_pip == max_pip]
        assert {each.engine_first for each in options} == set(range(max_pip + 1))
        assert {each.rounds for each in options} == set(range(1, max_pip + 2))
    assert Counter(bool(dealt.used) for dealt in all_deals).keys() == {True, False}


@pytest.mark.slow
def test_every_way_to_choose_an_engine_finds_it_in_a_hand_and_in_the_boneyard(all_deals: list[RandomDeal]) -> None:
    ways = Counter((dealt.options.engine_selection, has_drawn_for_engine(dealt)) for dealt in all_deals)
    by_hand = [value for value in ONE_OF["engine_selection"].values if value != "set_aside"]
    assert ways.keys() == {("set_aside", False), *((way, drawn) for way in by_hand for drawn in (False, True))}
    assert min(ways.values()) > 20


def has_drawn_for_engine(dealt: RandomDeal) -> bool:
    found = engine_found(dealt.options, dealt.seats, dealt.engine, dealt.first, dealt.order)
    return len(found.draws) > 0


@pytest.mark.slow
def test_rounds_without_any_boneyard_occur_however_the_engine_is_chosen(all_deals: list[RandomDeal]) -> None:
    without = {dealt.options.engine_selection for dealt in all_deals if not dealt.state.boneyard}
    assert without == set(ONE_OF["engine_selection"].values)


@pytest.mark.slow
def test_the_rounds_see_every_kind_of_move_every_reason_and_every_end() -> None:
    """A tile not held, a train not there and a round over need no looking for: they are tried in every state."""
    moves, reasons, ends = set[type](), set[errors.Reason | None](), Counter[Ended | None]()
    for number in range(ROUNDS_A_BATCH):
        dealt, chance = random_round(0, number)
        for before, move, after in random_play(dealt.state, chance):
            moves.add(type(move))
            ends[after.ended] += 1
            if chance.random() < 0.3:
                reasons |= {each.reason for each in explain(before)}
    assert moves == set(MAY_CHANGE)
    assert min(ends[Ended.OUT], ends[Ended.BLOCKED]) > 20
    assert reasons == {None, *Reason} - {Reason.TILE_NOT_HELD, Reason.NO_SUCH_TRAIN, Reason.ROUND_OVER}
