"""What is true of every round: random deals, random legal moves, all engines, any number of seats."""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rules.dealing import deal
from rules.errors import IllegalMove
from rules.legality import legal_moves, why_not
from rules.log import drawn_tiles, replay
from rules.moves import DRAW, MEXICAN, PASS, Announce, Call, End, Move, Play
from rules.notation import move_text, parse_move, parse_position, position_text
from rules.presets import rules_of
from rules.scoring import hand_points, round_points
from rules.shuffling import shuffled
from rules.state import Ended, State
from rules.tiles import double, double_set, set_of, set_size, tiles_in
from rules.transitions import apply

# The same examples in every run: a failure on one machine is a failure on all.
settings.register_profile(
    "repeatable", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True
)
REPEATABLE = settings.get_profile("repeatable")


@dataclass(frozen=True)
class Played:
    """A round played at random: every state that it went through, and the moves between them."""

    states: list[State]
    moves: list[Move]

    @property
    def over(self) -> State:
        return self.states[-1]


@st.composite
def deals(draw: st.DrawFn) -> State:
    """The deal of a random round: a set, seats, hands that it can give them, an engine, ways to score."""
    max_pip = draw(st.sampled_from([6, 9, 12]))
    seats = draw(st.integers(2, 8))
    most = min(15, (set_size(max_pip) - 1) // seats)
    options = rules_of(
        "classic",
        {
            "set_max_pip": max_pip,
            "hand_sizes": {str(seats): draw(st.integers(1, most) | st.just(most))},
            "double_blank_points": draw(st.sampled_from([0, 25, 50])),
            "blank_half_points": draw(st.sampled_from([0, 5, 25])),
            "double_factor": draw(st.sampled_from([1, 2])),
            "going_out_points": draw(st.sampled_from([0, -5, -10])),
            "blocked_lowest_zero": draw(st.booleans()),
        },
    )
    order = shuffled(draw(st.binary(min_size=32, max_size=32)), "table", 1, [], max_pip)
    return deal(options, seats, draw(st.integers(0, max_pip)), draw(st.integers(0, seats - 1)), order)


def played_out(dealt: State, chance: random.Random) -> Played:
    """To the end of the round, or as far as no round can go."""
    states, moves = [dealt], list[Move]()
    while states[-1].ended is None and len(moves) <= most_moves(dealt):
        choices = list(legal_moves(states[-1]))
        assert choices, "the seat to move can do nothing"
        moves.append(chance.choice(choices))
        states.append(apply(states[-1], moves[-1]))
    return Played(states, moves)


def most_moves(dealt: State) -> int:
    tiles, seats = set_size(dealt.setup.options.set_max_pip), dealt.setup.seats
    return 3 * tiles + 2 * seats * (tiles + 1)


rounds = st.builds(played_out, deals(), st.integers(0, 2**32).map(random.Random))


@pytest.fixture(scope="module")
def classic_rounds() -> list[Played]:
    """One round as *classic* deals it for every number of seats."""
    orders = [shuffled(bytes(32), "table", seats, [], 12) for seats in range(2, 9)]
    dealt = [deal(rules_of("classic", {}), seats, 12, 0, order) for seats, order in enumerate(orders, 2)]
    return [played_out(each, random.Random(7)) for each in dealt]


def all_tiles(state: State) -> list[int]:
    """Where the tiles of a state are, place by place."""
    trains = [tile.bit for train in state.trains for tile in train.tiles]
    hands = [tile.bit for hand in state.hands for tile in tiles_in(hand)]
    return [double(state.setup.engine).bit, *trains, *hands, *(tile.bit for tile in state.boneyard)]


@settings(REPEATABLE, max_examples=100)
@given(rounds)
def test_every_tile_is_in_one_place_at_all_times(played: Played) -> None:
    expected = sorted(tile.bit for tile in double_set(played.over.setup.options.set_max_pip))
    for state in played.states:
        assert sorted(all_tiles(state)) == expected
        laid = [tile for train in state.trains for tile in train.tiles]
        assert state.on_table == set_of([double(state.setup.engine), *laid])


@settings(REPEATABLE, max_examples=100)
@given(rounds)
def test_every_round_comes_to_an_end(played: Played) -> None:
    assert played.over.ended is not None
    assert len(played.moves) <= most_moves(played.states[0])
    assert list(legal_moves(played.over)) == []
    assert (0 in played.over.hands) == (played.over.ended is Ended.OUT)
    assert all(0 not in state.hands for state in played.states[:-1])


@settings(REPEATABLE, max_examples=100)
@given(rounds)
def test_replaying_the_log_gives_the_state(played: Played) -> None:
    texts = [move_text(move) for move in played.moves]
    assert replay(played.states[0], map(parse_move, texts)) == played.over
    middle = len(texts) // 2
    assert replay(played.states[0], map(parse_move, texts[:middle])) == played.states[middle]


@settings(REPEATABLE, max_examples=100)
@given(rounds)
def test_the_tiles_drawn_are_the_front_of_the_boneyard_in_order(played: Played) -> None:
    taken = [tile for tile in drawn_tiles(played.states[0], played.moves) if tile]
    assert taken == list(played.states[0].boneyard[: len(taken)])
    assert len(taken) == played.moves.count(DRAW)


@settings(REPEATABLE, max_examples=100)
@given(rounds)
def test_doubles_are_never_first_and_never_covers_and_one_at_most_is_open(played: Played) -> None:
    for state in played.states:
        assert len(state.open_doubles) <= 1
        for each in state.open_doubles:
            assert state.trains[each.train].tiles[-1].is_double
        for train in state.trains:
            assert not (train.tiles and train.tiles[0].is_double)
            assert not any(first.is_double and second.is_double for first, second in pairwise(train.tiles))


@settings(REPEATABLE, max_examples=100)
@given(rounds)
def test_trains_are_connected_from_the_engine_to_their_end(played: Played) -> None:
    for train in played.over.trains:
        end = played.over.setup.engine
        for tile in train.tiles:
            assert end in (tile.high, tile.low)
            end = tile.low if end == tile.high else tile.high
        assert end == train.end
    assert not played.over.trains[MEXICAN].is_marked


@settings(REPEATABLE, max_examples=100)
@given(rounds)
def test_a_move_changes_only_what_it_is_about(played: Played) -> None:
    for (before, after), move in zip(pairwise(played.states), played.moves, strict=True):
        assert before.setup == after.setup
        assert [s for s in range(before.setup.seats) if before.hands[s] != after.hands[s]] in ([], [before.turn])
        changed = [name for name in range(-1, before.setup.seats) if before.trains[name] != after.trains[name]]
        match move:
            case Play():
                assert changed == [move.train]
                assert before.hands[before.turn] ^ after.hands[before.turn] == move.tile.bit
            case _ if move == DRAW:
                assert (changed, before.turn) == ([], after.turn)
                assert before.boneyard[1:] == after.boneyard
            case _:
                assert move == PASS
                assert changed in ([], [before.turn])
                assert after.trains[before.turn].is_marked


@settings(REPEATABLE, max_examples=100)
@given(rounds)
def test_points_are_those_of_the_hands_left(played: Played) -> None:
    state = played.over
    options = state.setup.options
    counted = [hand_points(options, hand) for hand in state.hands]
    for seat, points in enumerate(round_points(state)):
        if seat == state.out:
            assert points == options.going_out_points
        elif options.blocked_lowest_zero and state.ended is Ended.BLOCKED and counted[seat] == min(counted):
            assert points == 0
        else:
            assert points == counted[seat]


@settings(REPEATABLE, max_examples=50)
@given(rounds)
def test_every_position_and_every_move_reads_back(played: Played) -> None:
    for state in played.states:
        assert parse_position(position_text(state), state.setup.options) == state
    for move in played.moves:
        assert parse_move(move_text(move)) == move


def every_move(state: State) -> Iterator[Move]:
    """Every tile on every train, also trains that are not there, and everything else a seat could say."""
    seats = state.setup.seats
    for tile in double_set(state.setup.options.set_max_pip):
        for train in (*range(seats), MEXICAN, seats, seats + 7):
            yield Play(tile, train)
    others: list[Move] = [DRAW, PASS, End(), Announce(), *map(Call, range(seats + 1))]
    yield from others


def check_in_step(state: State) -> None:
    """``legal_moves`` lists, ``in`` says and ``why_not`` explains the same."""
    listed = list(legal_moves(state))
    legal = legal_moves(state)
    assert len(set(listed)) == len(listed)
    for move in every_move(state):
        is_listed = move in listed
        assert (move in legal) is is_listed
        assert (why_not(state, move) is None) is is_listed
    assert None not in legal
    assert "draw" not in legal


@settings(REPEATABLE, max_examples=100)
@given(rounds, st.floats(0, 1))
def test_what_is_listed_is_what_is_allowed_and_the_rest_has_a_reason(played: Played, moment: float) -> None:
    for state in (played.states[int(moment * (len(played.states) - 1))], played.over):
        check_in_step(state)


def test_the_same_at_every_state_of_classic_rounds(classic_rounds: list[Played]) -> None:
    for played in classic_rounds:
        for state in played.states[::4]:
            check_in_step(state)


@settings(REPEATABLE, max_examples=50)
@given(rounds, st.floats(0, 1))
def test_a_refused_move_changes_nothing(played: Played, moment: float) -> None:
    state = played.states[int(moment * (len(played.states) - 1))]
    before = position_text(state), repr(state)
    for move in every_move(state):
        reason = why_not(state, move)
        if reason is not None:
            with pytest.raises(IllegalMove) as refused:
                apply(state, move)
            assert refused.value.reason is reason
    assert (position_text(state), repr(state)) == before


def test_classic_rounds_end_in_time_whatever_the_seats(classic_rounds: list[Played]) -> None:
    assert [played.over.setup.seats for played in classic_rounds] == list(range(2, 9))
    for played in classic_rounds:
        assert played.over.ended is not None
        assert sorted(all_tiles(played.over)) == sorted(tile.bit for tile in double_set(12))


def test_random_rounds_end_in_both_ways() -> None:
    """The properties above would say little if the rounds behind them were all of one kind."""
    options = rules_of("classic", {"set_max_pip": 6, "hand_sizes": {"2": 8}})
    dealt = [deal(options, 2, 6, 0, shuffled(bytes(32), "table", each, [], 6)) for each in range(100)]
    ends = [played_out(each, random.Random(1)).over.ended for each in dealt]
    assert min(ends.count(Ended.OUT), ends.count(Ended.BLOCKED)) > 10
