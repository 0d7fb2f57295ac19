"""What the moves of a round have revealed about the hands (``rules.mexican_train.knowledge``)."""

import random
from dataclasses import replace

import pytest

from rules.mexican_train.knowledge import NO_LIMIT, Limits, known_after, learnt, nothing_known
from rules.mexican_train.moves import Play
from rules.mexican_train.notation import parse_move
from rules.mexican_train.state import State
from rules.tiles import WITH_PIP, set_of, tiles_in
from tests.cases import for_each
from tests.rules.drawing import drawn
from tests.rules.random_rules import random_deal, random_play

STUCK = "engine 12-12; turn 0; boneyard {}\n0: 12-7 | 5-4 9-8 3-3\n1: 12-5 | 7-1 6-6\nmexican: 12-2"


def limits_after(position: str, *moves: str, **options: object) -> dict[int, int]:
    """The limits of the first seat after these moves, pip by pip, without those that exclude nothing."""
    known = known_after(drawn(position, **options), map(parse_move, moves))
    return {pip: most for pip, most in enumerate(known[0]) if most != NO_LIMIT}


def test_nothing_is_known_at_the_deal() -> None:
    state = drawn(STUCK.format("11-0"))
    assert known_after(state, []) == nothing_known(state.setup.options, 2) == ((NO_LIMIT,) * 13,) * 2


def test_a_seat_that_must_draw_has_none_of_the_pips_it_could_lay_but_the_tile_it_draws() -> None:
    assert limits_after(STUCK.format("11-0"), "draw") == {7: 1, 2: 1}


def test_a_seat_that_must_pass_has_none_of_the_pips_it_could_lay() -> None:
    assert limits_after(STUCK.format("11-0"), "draw", "pass") == {7: 0, 2: 0}


def test_a_draw_reveals_nothing_about_the_other_seats() -> None:
    known = known_after(drawn(STUCK.format("11-0")), [parse_move("draw"), parse_move("pass")])
    assert known[1] == (NO_LIMIT,) * 13


def test_a_tile_drawn_and_laid_reveals_nothing_more() -> None:
    assert limits_after(STUCK.format("7-2"), "draw", "7-2>0") == {7: 0, 2: 0}


def test_a_tile_drawn_and_kept_may_bear_any_other_pip() -> None:
    moves = ("draw", "pass", "7-1>0", "draw", "pass")
    assert limits_after(STUCK.format("11-0 10-0"), *moves) == {7: 1, 2: 0, 1: 0}


def test_a_marked_train_is_one_that_a_stuck_seat_could_not_lay_on() -> None:
    marked = STUCK.replace("1: 12-5", "1: 12-5 marked").replace("5-4 ", "")
    assert limits_after(marked.format("11-0"), "draw", "pass") == {7: 0, 2: 0, 5: 0}


def test_a_seat_that_cannot_cover_reveals_nothing_about_other_pips() -> None:
    covering = "engine 12-12; turn 0; open 1/1; boneyard 11-0\n0: 12-7 | 7-4\n1: 12-5 5-5 | 7-1 6-6\nmexican: 12-2"
    assert limits_after(covering, "draw", "pass") == {5: 0}


def test_a_seat_that_passes_without_a_draw_has_none_of_the_pips_it_could_lay() -> None:
    assert limits_after("engine 12-12; turn 0\n0: 12-7 | 5-4\n1: 12-5 | 7-1 6-6\nmexican: 12-2", "pass") == {7: 0, 2: 0}


def test_a_double_that_may_not_be_laid_may_still_be_held() -> None:
    follow_up = "engine 12-12; turn 0; boneyard 11-0\n0: 12-7 | 7-7 2-2 9-8\n1: 12-5 | 7-1 6-6\nmexican: 12-2"
    assert limits_after(follow_up, "7-7>0", "draw", "pass", double_follow_up="anywhere") == {7: 0, 2: 1}


def test_if_only_a_double_may_be_laid_a_stuck_seat_reveals_nothing_about_its_pip() -> None:
    chain = "engine 12-12; turn 0; boneyard 11-0\n0: 12-7 | 7-7 9-8\n1: 12-5 | 7-1 6-6\nmexican: 12-2"
    assert limits_after(chain, "7-7>0", "draw", "pass", doubles_per_turn=None) == {7: 0}


def test_a_tile_laid_is_one_less_of_its_pips() -> None:
    again = drawn("engine 12-12; turn 0\n0: | 12-7 7-2\n1: | 12-5 9-8\nmexican:")
    limits = learnt(((3,) * 13, (NO_LIMIT,) * 13), again, parse_move("12-7>0"))
    assert limits[0] == (3, 3, 3, 3, 3, 3, 3, 2, 3, 3, 3, 3, 2)


def test_a_seat_that_draws_several_tiles_could_lay_only_the_last() -> None:
    moves = ("draw", "draw", "draw", "7-0>0")
    assert limits_after(STUCK.format("11-0 10-0 7-0"), *moves, draw_rule="until_playable") == {7: 0, 2: 0}


def test_a_voluntary_draw_reveals_nothing() -> None:
    assert limits_after(STUCK.format("11-0"), "draw", "pass", must_play=False) == {}


def test_a_second_draw_reveals_that_the_seat_is_stuck_even_if_it_may_decline() -> None:
    options: dict[str, object] = {"must_play": False, "draw_rule": "until_playable"}
    assert limits_after(STUCK.format("11-0 10-0"), "draw", "draw", **options) == {7: 1, 2: 1}
    assert limits_after(STUCK.format("11-0 7-0"), "draw", "draw", "7-0>0", **options) == {7: 0, 2: 1}


def test_a_drawn_tile_that_may_be_kept_may_bear_every_pip() -> None:
    assert limits_after(STUCK.format("11-0"), "draw", "pass", drawn_tile="may") == {7: 1, 2: 1}


def test_penalty_tiles_may_bear_every_pip() -> None:
    state = drawn(
        "engine 12-12; turn 1; boneyard 3-2 1-1\n0: 12-7 | 5-4\n1: 12-5 | 5-1 6-6\nmexican:", announce="penalty"
    )
    state = replace(state, exposed=0)
    known = learnt(((0,) * 13, (NO_LIMIT,) * 13), state, parse_move("call 0"))
    assert known == ((2,) * 13, (NO_LIMIT,) * 13)
    last = replace(state, boneyard=state.boneyard[:1])
    assert learnt(((0,) * 13, (NO_LIMIT,) * 13), last, parse_move("call 0"))[0] == (1,) * 13


def is_within(state: State, known: Limits) -> bool:
    return all(
        (hand & WITH_PIP[pip]).bit_count() <= most
        for hand, limits in zip(state.hands, known, strict=True)
        for pip, most in enumerate(limits)
    )


@for_each("seed", range(40))
def test_no_hand_ever_holds_more_than_is_known(seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(5):
        state = random_deal(chance).state
        known = nothing_known(state.setup.options, state.setup.seats)
        for before, move, after in random_play(state, chance):
            known = learnt(known, before, move)
            assert is_within(after, known), (before, move)


def with_others_hidden_tiles(state: State, chance: random.Random) -> State:
    """Another state that looks the same to everybody: what hands and boneyard hold is dealt anew."""
    hidden = [*state.boneyard, *(tile for hand in state.hands for tile in tiles_in(hand))]
    chance.shuffle(hidden)
    hands = []
    for hand in state.hands:
        hands.append(set_of(hidden[: hand.bit_count()]))
        del hidden[: hand.bit_count()]
    return replace(state, hands=hands, boneyard=tuple(hidden))


@pytest.mark.parametrize("seed", range(20))
def test_the_limits_do_not_depend_on_hidden_tiles(seed: int) -> None:
    chance = random.Random(seed)
    state = random_deal(chance).state
    known = nothing_known(state.setup.options, state.setup.seats)
    for before, move, _ in random_play(state, chance):
        other = with_others_hidden_tiles(before, chance)
        assert learnt(known, other, move) == learnt(known, before, move)
        known = learnt(known, before, move)


def test_a_round_reveals_something() -> None:
    chance = random.Random(1)
    shown_limits = 0
    for _ in range(20):
        deal = random_deal(chance)
        moves = [move for _, move, _ in random_play(deal.state, chance)]
        known = known_after(deal.state, moves)
        shown_limits += sum(most != NO_LIMIT for limits in known for most in limits)
        assert any(isinstance(move, Play) for move in moves)
    assert shown_limits > 100
