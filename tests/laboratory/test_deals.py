"""The deals of an experiment: as in matches, and the same ones every time."""

from itertools import pairwise

from laboratory.deals import deal_number
from tests.laboratory.experiments import experiment


def test_engines_fall_round_by_round_and_begin_again_with_each_match() -> None:
    asked = experiment(seats=8, rounds=3)
    assert [deal_number(asked, number).setup.engine for number in range(7)] == [12, 11, 10, 12, 11, 10, 12]


def test_a_full_match_ends_with_the_double_blank() -> None:
    asked = experiment()
    assert [deal_number(asked, number).setup.engine for number in (12, 13)] == [0, 12]


def test_the_first_turn_goes_round_the_table() -> None:
    asked = experiment(seats=3, rounds=4)
    assert [deal_number(asked, number).turn for number in range(8)] == [0, 1, 2, 0, 0, 1, 2, 0]


def test_the_first_turn_goes_round_too_where_the_lowest_total_would_begin() -> None:
    asked = experiment(seats=3, round_starter="lowest_total")
    assert [deal_number(asked, number).turn for number in range(5)] == [0, 1, 2, 0, 1]


def test_chance_chooses_the_first_seat_of_each_match_where_the_rules_want_that() -> None:
    asked = experiment(preset="official_d12", rounds=2)
    turns = [deal_number(asked, number).turn for number in range(40)]
    assert set(turns[::2]) == {0, 1, 2, 3}
    assert all(second == (first + 1) % 4 for first, second in zip(turns[::2], turns[1::2], strict=True))


def test_engines_that_hands_decide_come_once_a_match() -> None:
    asked = experiment(preset="galt")
    engines = [deal_number(asked, number).setup.engine for number in range(26)]
    assert sorted(engines[:13]) == sorted(engines[13:]) == list(range(13))
    assert engines[:13] != engines[13:]


def test_the_holder_of_the_engine_begins_where_the_rules_say_so() -> None:
    asked = experiment(preset="long_trains")
    for number in range(13):
        state = deal_number(asked, number)
        assert state.hands[state.turn].bit_count() == min(hand.bit_count() for hand in state.hands)


def test_the_same_seed_deals_the_same_tiles() -> None:
    assert deal_number(experiment(), 5) == deal_number(experiment("hard", "medium", deals=100), 5)


def test_another_seed_another_round_and_another_match_deal_others() -> None:
    deals = [deal_number(experiment(rounds=1), number) for number in range(5)]
    deals.append(deal_number(experiment(rounds=1, seed="other"), 0))
    assert all(one.hands != other.hands for one, other in pairwise(deals))
    assert deals[0].hands != deals[-1].hands
