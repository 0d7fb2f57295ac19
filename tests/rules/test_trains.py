"""Where a tile may go: the own train, the Mexican Train, marked trains, and no other (``rules.md`` §3)."""

from rules.mexican_train.reasons import Reason
from tests.rules.drawing import check_after, check_illegal, check_legal

THREE = """
    engine 12-12; turn 0; boneyard 0-0
    0: 12-5 | 7-3 5-2 4-2
    1: 12-7 | 1-1
    2: 12-9 | 2-2
    mexican:
"""
MARKED = THREE.replace("12-7 |", "12-7 marked |")


def test_the_first_tile_of_a_train_matches_the_engine() -> None:
    start = "engine 12-12; turn 0\n0: | 12-5 5-3\n1: | 9-9\nmexican:"
    check_legal(start, "12-5>0", "12-5>mexican")
    check_illegal(start, "5-3>0", Reason.ENDS_DO_NOT_MATCH)


def test_the_next_tile_matches_the_end_that_is_free() -> None:
    check_legal(THREE, "5-2>0")
    check_illegal(THREE, "4-2>0", Reason.ENDS_DO_NOT_MATCH)


def test_the_end_of_a_train_is_the_free_end_of_its_last_tile() -> None:
    run = "engine 6-6; turn 0\n0: 6-5 5-1 1-4 | 4-3 5-3 6-3\n1: | 0-0\nmexican: 6-2"
    check_legal(run, "4-3>0")
    check_illegal(run, "5-3>0", Reason.ENDS_DO_NOT_MATCH)


def test_another_seats_train_is_closed() -> None:
    check_illegal(THREE, "7-3>1", Reason.TRAIN_NOT_OPEN)


def test_another_seats_empty_train_is_closed() -> None:
    start = "engine 12-12; turn 0\n0: | 12-5 5-3\n1: | 9-9\nmexican:"
    check_illegal(start, "12-5>1", Reason.TRAIN_NOT_OPEN)


def test_a_marked_train_is_open_to_all() -> None:
    check_legal(MARKED, "5-2>0", "7-3>1")


def test_a_tile_that_does_not_fit_a_marked_train_is_refused() -> None:
    check_illegal(MARKED, "4-2>1", Reason.ENDS_DO_NOT_MATCH)


def test_a_marked_train_stays_marked_when_another_seat_plays_on_it() -> None:
    check_after(
        MARKED,
        "7-3>1",
        then="""
            engine 12-12; turn 1; boneyard 0-0
            0: 12-5 | 5-2 4-2
            1: 12-7 7-3 marked | 1-1
            2: 12-9 | 2-2
            mexican:
        """,
    )


def test_a_marker_does_not_open_the_trains_beside_it() -> None:
    check_illegal(MARKED.replace("5-2 4-2", "9-2"), "9-2>2", Reason.TRAIN_NOT_OPEN)


def test_the_own_marker_comes_off_with_an_own_play() -> None:
    check_after(
        THREE.replace("12-5 |", "12-5 marked |"),
        "5-2>0",
        then="""
            engine 12-12; turn 1; boneyard 0-0
            0: 12-5 5-2 | 7-3 4-2
            1: 12-7 | 1-1
            2: 12-9 | 2-2
            mexican:
        """,
    )


def test_the_own_marker_stays_when_the_seat_plays_elsewhere() -> None:
    check_after(
        "engine 12-12; turn 0\n0: marked | 12-5 5-3\n1: | 9-9\nmexican:",
        "12-5>mexican",
        then="engine 12-12; turn 1\n0: marked | 5-3\n1: | 9-9\nmexican: 12-5",
    )


def test_an_empty_marked_train_may_be_started_by_another_seat() -> None:
    check_legal("engine 12-12; turn 0\n0: | 12-5\n1: marked | 9-9\nmexican:", "12-5>0", "12-5>1", "12-5>mexican")


def test_the_mexican_train_may_be_started_before_the_own_one() -> None:
    check_after(
        "engine 12-12; turn 0\n0: | 12-5 5-3\n1: | 9-9\nmexican:",
        "12-5>mexican",
        then="engine 12-12; turn 1\n0: | 5-3\n1: | 9-9\nmexican: 12-5",
    )


def test_the_mexican_train_is_open_to_all_once_started() -> None:
    check_legal("engine 12-12; turn 1\n0: | 5-3\n1: | 9-5\nmexican: 12-5", "9-5>mexican")


def test_the_mexican_train_needs_a_matching_tile_too() -> None:
    check_illegal(
        "engine 12-12; turn 1\n0: | 5-3\n1: | 9-5 8-1\nmexican: 12-5", "8-1>mexican", Reason.ENDS_DO_NOT_MATCH
    )


def test_a_tile_that_fits_by_both_ends_of_the_table_is_legal_on_each_train() -> None:
    check_legal(
        "engine 12-12; turn 0\n0: 12-5 | 5-4\n1: 12-4 marked | 9-9\nmexican: 12-5", "5-4>0", "5-4>1", "5-4>mexican"
    )


def test_a_tile_of_another_hand_is_refused() -> None:
    check_illegal(THREE, "2-2>0", Reason.TILE_NOT_HELD)


def test_a_tile_on_the_table_is_refused() -> None:
    check_illegal(THREE, "12-5>mexican", Reason.TILE_NOT_HELD)


def test_the_engine_is_in_no_hand() -> None:
    check_illegal(THREE, "12-12>mexican", Reason.TILE_NOT_HELD)


def test_a_train_of_a_seat_that_is_not_there_is_refused() -> None:
    check_illegal(THREE, "5-2>3", Reason.NO_SUCH_TRAIN)
    check_illegal(THREE, "5-2>99", Reason.NO_SUCH_TRAIN)


def test_one_tile_is_a_turn_and_the_next_seat_moves() -> None:
    check_after(
        THREE.replace("turn 0", "turn 2").replace("2-2", "2-2 9-1"),
        "9-1>2",
        then=THREE.replace("12-9 |", "12-9 9-1 |"),
    )
