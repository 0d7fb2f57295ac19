"""The level *hard*: tiles outside the plan first, its own train closed, and attention to rivals that are nearly out."""

from typing import Any

from tests.rules.bots.asking import check_no_chance, chosen

# Seat 0's train ends with a 5; the Mexican Train has not begun and takes a 12, seat 1's is marked and ends with a 9.
OPEN = "engine 12-12; turn 0; boneyard 3-2\n0: 12-5 | {}\n1: 12-9 marked | 8-7 7-6 6-2\nmexican:"
MARKED = OPEN.replace("12-5", "12-5 marked")
LATE = OPEN.replace(" 6-2", "")
COVERING = "engine 12-12; turn 0; open 1/1; boneyard 3-2\n0: 12-5 | {}\n1: 12-9 9-9 | 8-7 7-6 6-2\nmexican:"
COVERING_OWN = "engine 12-12; turn 0; open 0/0*; boneyard 3-2\n0: 12-5 5-5 | {}\n1: 12-9 | 8-7 7-6 6-2\nmexican:"
ON_MEXICAN = (
    "engine 12-12; turn 0; open mexican/0*; boneyard 3-2\n0: 12-5 | {}\n1: 12-9 | 8-7 7-6 6-2\nmexican: 12-1 1-1"
)


def lays(hand: str, position: str = OPEN, **options: Any) -> str:
    return chosen("hard", position.format(hand), **options)


# (a) A double is open.


def test_its_own_double_is_covered_by_the_plan() -> None:
    assert lays("5-1 1-0 5-4", COVERING_OWN) == "5-1>0"


def test_another_double_is_covered_by_the_heaviest_tile_outside_the_plan() -> None:
    assert lays("5-1 9-8 9-3", COVERING) == "9-8>1"


def test_else_by_the_tile_that_the_plan_can_spare_best() -> None:
    """The plan is 5-4 4-9 9-8 8-3; without 9-8 two tiles of it are left, without 4-9 only one."""
    assert lays("5-4 9-4 9-8 8-3", COVERING) == "9-8>1"


def test_it_covers_where_it_has_to_though_its_train_is_marked() -> None:
    assert lays("5-1 9-8", COVERING.replace("12-5", "12-5 marked")) == "9-8>1"


def test_a_cover_in_a_long_first_turn_knows_that_doubles_need_none_there() -> None:
    """12-9 9-9 can follow whatever covers, so the heavier tile goes. Did 9-9 need a cover, 12-3 3-5 would stay."""
    position = (
        "engine 12-12; turn 1; open 0/0; first 1; boneyard 3-2 0-0\n"
        "0: 12-5 5-5 | 11-11 10-9\n1: | 12-9 9-9 12-3 5-3 5-1\nmexican:"
    )
    rules: dict[str, Any] = {
        "first_turn_length": "unlimited",
        "first_turn_trains": "own_only",
        "mexican_start": "second_turn",
    }
    assert chosen("hard", position, **rules) == "5-3>0"


# (b) The own train is open to others.


def test_a_marked_train_is_closed_before_anything_is_shed() -> None:
    assert lays("5-1 12-11", MARKED) == "5-1>0"
    assert lays("5-1 12-11") == "12-11>mexican"


def test_any_play_closes_it_where_the_rules_say_so() -> None:
    assert lays("5-1 12-11", MARKED, marker_clear="any_play") == "12-11>mexican"


def test_a_train_that_is_public_until_its_owner_plays_is_closed_first() -> None:
    unstarted = OPEN.replace("12-5", "")
    assert lays("12-3 3-1 9-0", unstarted) == "9-0>1"
    assert lays("12-3 3-1 9-0", unstarted, train_privacy="public_until_own_play") == "12-3>0"
    assert lays("12-3 3-1 9-0", unstarted, train_privacy="always_public") == "9-0>1"


# (c) What the plan leaves over.


def test_tiles_outside_the_plan_go_first() -> None:
    assert lays("5-1 1-0 9-2") == "9-2>1"


def test_the_mexican_train_is_better_than_a_rivals() -> None:
    assert lays("5-1 9-8 12-0") == "12-0>mexican"
    assert lays("5-1 9-8 12-0", OPEN.replace("mexican:", "mexican: 12-11")) == "9-8>1"
    assert lays("5-1 11-9 12-0") == "12-0>mexican"
    assert lays("5-1 11-9 12-0", OPEN.replace("12-9", "12-11")) == "12-0>mexican"


def test_a_double_that_another_tile_covers_is_worth_most() -> None:
    assert lays("5-1 9-9 9-2 12-11") == "9-9>1"
    assert lays("5-1 9-9 12-11") == "12-11>mexican"


def test_the_plan_goes_on_when_nothing_outside_it_fits() -> None:
    assert lays("5-1 1-0 8-4") == "5-1>0"


# (d) A rival with two tiles or fewer.


def test_the_heavier_tile_goes_first_when_a_rival_is_nearly_out() -> None:
    assert lays("11-5 11-0 9-2") == "9-2>1"
    assert lays("11-5 11-0 9-2", LATE) == "11-5>0"
    assert lays("5-1 1-0 9-8", LATE) == "9-8>1"


def test_a_double_of_the_plan_weighs_more_too() -> None:
    assert lays("5-5 5-1 12-4", LATE) == "5-5>0"
    assert lays("5-5 5-1 12-4") == "12-4>mexican"


# (e) No plan.


def test_without_a_plan_its_own_end_takes_a_double_that_nothing_covers() -> None:
    assert lays("5-5 9-8 12-11") == "5-5>0"


def test_without_a_plan_the_best_tile_goes_on_a_public_train() -> None:
    assert lays("9-8 12-1") == "12-1>mexican"


# Other rules.


def test_a_chain_of_doubles_continues_while_the_required_tile_can_be_laid() -> None:
    chain = ON_MEXICAN.replace("1: 12-9", "1: 12-9 marked")
    assert lays("1-0 9-9 9-2", chain) == "1-0>mexican"
    for asks_for in ("first_double", "last_double", "any_open_double", "anywhere"):
        assert lays("1-0 9-9 9-2", chain, doubles_per_turn=None, chain_follow_up=asks_for) == "9-9>1"


def test_a_double_is_laid_if_the_required_tile_fits_an_earlier_double() -> None:
    chain = ON_MEXICAN.replace("1: 12-9", "1: 12-9 marked")
    assert lays("1-0 9-9 8-3", chain, doubles_per_turn=None, chain_follow_up="first_double") == "9-9>1"
    assert lays("1-0 9-9 8-3", chain, doubles_per_turn=None, chain_follow_up="anywhere") == "9-9>1"
    assert lays("1-0 9-9 8-3", chain, doubles_per_turn=None, chain_follow_up="last_double") == "1-0>mexican"


def test_a_tile_that_breaks_the_plan_is_laid_where_it_breaks_least() -> None:
    """One double a turn: after 1-1 the plan's 5-5 has to wait. 5-4 leaves 4-3 to lay, 5-2 nothing."""
    assert lays("5-5 5-4 4-3 5-2", ON_MEXICAN, double_follow_up="anywhere") == "5-4>0"
    assert lays("5-5 5-4 5-2 2-0", ON_MEXICAN, double_follow_up="anywhere") == "5-2>0"


def test_it_needs_no_chance() -> None:
    check_no_chance("hard", OPEN.format("5-1 9-9 9-8 12-0"))
