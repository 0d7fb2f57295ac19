"""Doubles that nothing can cover any more (``rules.md`` §3, *Dead double*), with a double-six set."""

from rules.mexican_train.state import START
from tests.rules.drawing import after, check_after, check_legal, drawn

SIX = {"set_max_pip": 6, "hand_sizes": {"2": 8}}
# 5-0 5-1 5-2 5-3 5-4 and 6-5 are laid; the one five that is missing is 5-5.
FIVES = """
    engine 6-6; turn 0; boneyard 4-4
    0: 6-1 1-5 5-0 0-4 4-5 | 5-5 2-0
    1: 6-2 2-5 5-3 | 0-0
    mexican: 6-5
"""


def test_a_double_whose_pip_is_all_on_the_table_binds_nobody() -> None:
    check_after(
        FIVES,
        "5-5>0",
        then="""
            engine 6-6; turn 1; boneyard 4-4
            0: 6-1 1-5 5-0 0-4 4-5 5-5 | 2-0
            1: 6-2 2-5 5-3 | 0-0
            mexican: 6-5
        """,
        **SIX,
    )


def test_a_dead_double_brings_neither_draw_nor_marker() -> None:
    state = after(drawn(FIVES, **SIX), "5-5>0")
    assert (state.turn, state.progress, state.trains[0].is_marked) == (1, START, False)
    assert state.open_doubles == ()


def test_a_dead_double_as_last_tile_ends_the_round() -> None:
    state = after(drawn(FIVES.replace(" 2-0", ""), **SIX), "5-5>0")
    assert (state.ended, state.out) == ("out", 0)


def test_a_tile_hidden_in_a_hand_keeps_a_double_alive() -> None:
    hidden = FIVES.replace("5-3 | 0-0", "| 0-0 5-3")
    check_after(
        hidden, "5-5>0", then=hidden.replace("4-5 | 5-5", "4-5 5-5 |").replace("turn 0", "turn 0; open 0/0*"), **SIX
    )


def test_a_tile_hidden_in_the_boneyard_keeps_a_double_alive() -> None:
    hidden = FIVES.replace("2-5 5-3 |", "2-5 |").replace("boneyard 4-4", "boneyard 4-4 5-3")
    state = after(drawn(hidden, **SIX), "5-5>0")
    assert [each.train for each in state.open_doubles] == [0]
    assert state.turn == 0


def test_the_same_tiles_leave_a_double_alive_where_the_set_is_larger() -> None:
    state = after(drawn(FIVES), "5-5>0")
    assert [each.train for each in state.open_doubles] == [0]


def test_the_engine_counts_for_its_own_pip_only() -> None:
    # All sixes but 6-4 are laid or the engine; 4-4 is not dead because 6-4 and others are missing.
    state = after(
        drawn("engine 6-6; turn 0\n0: 6-4 | 4-4 3-0\n1: 6-2 | 0-0\nmexican: 6-5", **SIX),
        "4-4>0",
    )
    assert [each.train for each in state.open_doubles] == [0]


def test_a_cover_by_the_last_tile_of_its_pip_is_an_ordinary_cover() -> None:
    last = (
        FIVES.replace("5-3 | 0-0", "| 0-0 5-3").replace("| 5-5 2-0", "5-5 | 2-0").replace("turn 0", "turn 1; open 0/0")
    )
    check_legal(last, "5-3>0", **SIX)
    assert after(drawn(last, **SIX), "5-3>0").open_doubles == ()
