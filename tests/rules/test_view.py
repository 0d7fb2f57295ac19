"""What a seat and a spectator may know of a round (``rules.md`` §9)."""

from dataclasses import fields

import pytest

from rules.knowledge import nothing_known
from rules.notation import move_text, tile_texts
from rules.state import START, Ended, OpenDouble, State
from rules.tiles import tile, tiles_in
from rules.view import View, view_for
from tests.rules.drawing import after, drawn

STATE = drawn("""
    engine 12-12; turn 1; drew 1; open 0/0; boneyard 3-2 1-1
    0: 12-5 5-5 marked | 9-8 9-9
    1: 12-7 | 6-5 7-1 4-0
    2: | 2-2
    mexican: 12-4
""")
PUBLIC = (
    "setup",
    "trains",
    "open_doubles",
    "hand_counts",
    "boneyard_count",
    "turn",
    "draws",
    "phase",
    "ended",
    "hands",
    "announced",
    "exposed",
    "unshown",
    "progress",
    "standing",
    "passed",
    "limits",
)


def public(view: View) -> list[object]:
    return [getattr(view, name) for name in PUBLIC]


def test_a_view_holds_public_facts_one_hand_and_its_legal_moves_and_nothing_else() -> None:
    assert {field.name for field in fields(View)} == {*PUBLIC, "seat", "hand", "legal_moves"}


@pytest.mark.parametrize("seat", [0, 1, 2, None])
def test_public_facts_are_the_same_for_everybody(seat: int | None) -> None:
    view = view_for(STATE, seat)
    assert public(view) == [
        STATE.setup,
        STATE.trains,
        STATE.open_doubles,
        (2, 3, 1),
        2,
        1,
        1,
        "drawn",
        None,
        None,
        (),
        None,
        (),
        STATE.progress,
        STATE.standing,
        STATE.passed,
        None,
    ]
    assert view.seat == seat


@pytest.mark.parametrize(("seat", "hand"), [(0, ["9-8", "9-9"]), (1, ["4-0", "6-5", "7-1"]), (2, ["2-2"]), (None, [])])
def test_a_seat_sees_its_own_hand_and_a_spectator_sees_none(seat: int | None, hand: list[str]) -> None:
    assert tile_texts(tiles_in(view_for(STATE, seat).hand)) == hand


@pytest.mark.parametrize(("seat", "moves"), [(0, []), (1, ["6-5>0"]), (2, []), (None, [])])
def test_only_the_seat_to_move_sees_legal_moves(seat: int | None, moves: list[str]) -> None:
    assert [move_text(move) for move in view_for(STATE, seat).legal_moves] == moves


def test_a_stuck_seat_sees_that_it_may_draw_and_nobody_else_does() -> None:
    state = drawn("engine 12-12; turn 0; boneyard 3-2\n0: | 1-0\n1: | 2-2\nmexican:")
    assert [move_text(move) for move in view_for(state, 0).legal_moves] == ["draw"]
    for seat in (1, None):
        assert view_for(state, seat).legal_moves == ()


def shuffled_unseen(state: State, seat: int | None) -> State:
    """Another state that differs only in what this seat may not know."""
    unseen = sorted(tiles_in(sum(hand for each, hand in enumerate(state.hands) if each != seat)))
    unseen = [*state.boneyard, *unseen][::-1]
    hands = list(state.hands)
    for each in range(len(hands)):
        if each != seat:
            count = hands[each].bit_count()
            hands[each], unseen = sum(tile.bit for tile in unseen[:count]), unseen[count:]
    return state._replace(hands=tuple(hands), boneyard=tuple(unseen))


@pytest.mark.parametrize("seat", [0, 1, 2, None])
def test_two_states_that_differ_in_hidden_tiles_look_the_same(seat: int | None) -> None:
    other = shuffled_unseen(STATE, seat)
    assert other != STATE
    assert view_for(other, seat) == view_for(STATE, seat)
    assert repr(view_for(other, seat)) == repr(view_for(STATE, seat))


def test_a_seat_that_sees_other_tiles_is_told_apart() -> None:
    other = STATE._replace(hands=(STATE.hands[0], tile(6, 5).bit, STATE.hands[2]))
    assert view_for(other, 1) != view_for(STATE, 1)


def test_the_phase_is_an_ordinary_play_a_cover_or_after_a_draw() -> None:
    assert view_for(STATE, None).phase == "drawn"
    assert view_for(STATE._replace(progress=START), None).phase == "cover"
    assert view_for(STATE._replace(progress=START, open_doubles=()), None).phase == "play"


def test_a_round_that_is_over_shows_how_and_offers_nothing() -> None:
    state = after(drawn("engine 12-12; turn 0\n0: | 12-5\n1: | 9-8\nmexican:"), "12-5>0")
    view = view_for(state, 0)
    assert (view.ended, view.hand_counts, list(view.legal_moves)) == (Ended.OUT, (0, 1), [])


def test_what_the_moves_have_shown_is_for_everybody_whom_the_table_tells() -> None:
    known = nothing_known(STATE.setup.options, 3)
    assert [view_for(STATE, seat, known).limits for seat in (0, 1, 2, None)] == [known] * 4


def test_the_doubles_of_a_long_first_turn_are_kept_apart_until_it_ends() -> None:
    start = drawn(
        "engine 12-12; turn 0; first 0 1\n0: | 12-5 5-5 9-8\n1: | 2-2\nmexican:", first_turn_length="unlimited"
    )
    laying = view_for(after(start, "12-5>0", "5-5>0"), 1)
    assert (laying.open_doubles, laying.unshown) == ((), (OpenDouble(0, 0),))
    ended = view_for(after(start, "12-5>0", "5-5>0", "end"), 1)
    assert (ended.open_doubles, ended.unshown) == ((OpenDouble(0, 0),), ())
