"""What a seat and a spectator may know of a round (``rules.md`` §9)."""

import random
from dataclasses import fields, replace

import pytest

from rules.game import Ended
from rules.mexican_train.knowledge import nothing_known
from rules.mexican_train.notation import move_text
from rules.mexican_train.state import START, OpenDouble, State
from rules.mexican_train.view import View, view_for
from rules.tiles import tile, tile_texts, tiles_in
from tests.rules.drawing import after, drawn
from tests.rules.random_rules import random_deal, random_play

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
    "is_in_long_first_turn",
    "on_table",
    "progress",
    "standing",
    "passed",
    "limits",
)


def public(view: View) -> list[object]:
    return [getattr(view, name) for name in PUBLIC]


def test_a_view_holds_only_public_facts_one_hand_and_its_legal_moves() -> None:
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
        False,
        STATE.on_table,
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
def test_only_the_seat_to_move_sees_legal_moves_if_no_seat_can_be_called(seat: int | None, moves: list[str]) -> None:
    assert [move_text(move) for move in view_for(STATE, seat).legal_moves] == moves


def test_only_the_stuck_seat_sees_that_it_may_draw() -> None:
    state = drawn("engine 12-12; turn 0; boneyard 3-2\n0: | 1-0\n1: | 2-2\nmexican:")
    assert [move_text(move) for move in view_for(state, 0).legal_moves] == ["draw"]
    for seat in (1, None):
        assert view_for(state, seat).legal_moves == ()


def shuffled_unseen(state: State, seat: int | None) -> State:
    """Another state that differs only in what this seat may not know."""
    if state.setup.options.shows_hands:
        return replace(state, boneyard=state.boneyard[::-1])
    unseen = sorted(tiles_in(sum(hand for each, hand in enumerate(state.hands) if each != seat)))
    unseen = [*state.boneyard, *unseen][::-1]
    hands = list(state.hands)
    for each in range(len(hands)):
        if each != seat:
            count = hands[each].bit_count()
            hands[each], unseen = sum(tile.bit for tile in unseen[:count]), unseen[count:]
    return replace(state, hands=hands, boneyard=tuple(unseen))


@pytest.mark.parametrize("seat", [0, 1, 2, None])
def test_two_states_that_differ_in_hidden_tiles_look_the_same(seat: int | None) -> None:
    other = shuffled_unseen(STATE, seat)
    assert other != STATE
    assert view_for(other, seat) == view_for(STATE, seat)
    assert repr(view_for(other, seat)) == repr(view_for(STATE, seat))


def test_by_no_rules_does_a_view_depend_on_hidden_tiles() -> None:
    others = 0
    for number in range(30):
        chance = random.Random(f"view {number}")
        dealt = random_deal(chance)
        for state, _, _ in random_play(dealt.state, chance):
            seat = chance.choice([None, *range(dealt.seats)])
            other = shuffled_unseen(state, seat)
            assert view_for(other, seat) == view_for(state, seat)
            others += other != state
    assert others > 500


def test_seats_that_see_different_tiles_have_different_views() -> None:
    other = replace(STATE, hands=[STATE.hands[0], tile(6, 5).bit, STATE.hands[2]])
    assert view_for(other, 1) != view_for(STATE, 1)


@pytest.mark.parametrize("seat", [0, 1, None])
def test_hands_are_public_where_the_rules_say_so(seat: int | None) -> None:
    text = "engine 12-12; turn 0\n0: | 12-5\n1: | 9-8 7-7\nmexican:"
    state = drawn(text, hands_visible=True)
    view = view_for(state, seat)
    assert view.hands == tuple(state.hands)
    assert view.hand == (0 if seat is None else state.hands[seat])
    assert view_for(drawn(text), seat).hands is None


def test_hands_that_are_public_bring_no_further_moves() -> None:
    state = drawn("engine 12-12; turn 0\n0: | 12-5\n1: | 12-7\nmexican:", hands_visible=True)
    assert [view_for(state, seat).legal_moves != () for seat in (0, 1, None)] == [True, False, False]


LAST_TILES = "engine 12-12; turn 2; announced 0\n0: 12-5 | 9-8\n1: 12-7 | 6-6\n2: | 12-1 2-2\nmexican:"


@pytest.mark.parametrize(("announce", "announced"), [("automatic", (0, 1)), ("penalty", (0,)), ("off", ())])
def test_a_last_tile_is_public_once_it_was_announced(announce: str, announced: tuple[int, ...]) -> None:
    told = LAST_TILES if announce == "penalty" else LAST_TILES.replace("; announced 0", "")
    for seat in (0, 1, 2, None):
        assert view_for(drawn(told, announce=announce), seat).announced == announced


def test_a_seat_that_announced_with_two_tiles_does_not_count_as_having_one() -> None:
    state = drawn(LAST_TILES.replace("announced 0", "announced 2"), announce="penalty")
    assert view_for(state, None).announced == ()
    assert view_for(after(state, "12-1>2"), None).announced == (2,)


@pytest.mark.parametrize(
    ("seat", "moves"), [(0, ["call 1"]), (1, []), (2, ["12-1>2", "12-1>mexican", "announce", "call 1"]), (None, [])]
)
def test_every_seat_but_the_one_exposed_may_call_it_in_turn_or_out_of_turn(seat: int | None, moves: list[str]) -> None:
    view = view_for(drawn(LAST_TILES.replace("announced 0", "exposed 1"), announce="penalty"), seat)
    assert view.exposed == 1
    assert [move_text(move) for move in view.legal_moves] == moves


def test_after_the_next_turn_no_seat_can_be_called() -> None:
    state = drawn(LAST_TILES.replace("announced 0", "exposed 1; announced 2"), announce="penalty")
    view = view_for(after(state, "12-1>2"), 2)
    assert (view.exposed, view.legal_moves) == (None, ())


def test_the_phase_is_after_a_draw_a_cover_or_an_ordinary_play() -> None:
    assert view_for(STATE, None).phase == "drawn"
    assert view_for(replace(STATE, progress=START), None).phase == "cover"
    assert view_for(replace(STATE, progress=START, open_doubles=()), None).phase == "play"


def test_whatever_follows_an_own_double_is_a_cover_too() -> None:
    own = drawn("engine 12-12; turn 0; open 0/0*\n0: 12-5 5-5 | 12-3\n1: | 9-8\nmexican:", double_follow_up="anywhere")
    assert view_for(own, 0).phase == "cover"


LONG = "engine 12-12; turn 0; first 0 1; open 0/0*; laid 2; boneyard 3-2\n0: 12-5 5-5 | 5-3 9-8\n1: | 9-7\nmexican:"


def test_a_long_first_turn_has_a_phase_of_its_own_to_its_end() -> None:
    begun = drawn(LONG, first_turn_length="unlimited")
    assert view_for(begun, 0).phase == "first_turn"
    fresh = drawn(LONG.replace("; open 0/0*; laid 2", "").replace("12-5 5-5", ""), first_turn_length="unlimited")
    assert view_for(fresh, 0).phase == "first_turn"
    assert view_for(after(fresh, "draw"), 0).phase == "drawn"
    assert view_for(replace(after(begun, "end"), open_doubles=()), 1).phase == "first_turn"


def test_a_first_turn_of_one_tile_is_an_ordinary_play() -> None:
    assert view_for(drawn("engine 12-12; turn 0; first 0 1\n0: | 12-5\n1: | 9-7\nmexican:"), 0).phase == "play"


def test_a_double_of_a_long_first_turn_is_in_the_open_doubles_after_the_turn() -> None:
    begun = drawn(LONG, first_turn_length="unlimited")
    assert view_for(begun, 1).open_doubles == ()
    ended = view_for(after(begun, "end"), 1)
    assert (ended.open_doubles, ended.phase) == (after(begun, "end").open_doubles, "cover")
    assert len(ended.open_doubles) == 1


def test_a_finished_round_has_its_end_and_no_legal_moves() -> None:
    state = after(drawn("engine 12-12; turn 0\n0: | 12-5\n1: | 9-8\nmexican:"), "12-5>0")
    view = view_for(state, 0)
    assert (view.ended, view.hand_counts, list(view.legal_moves)) == (Ended.OUT, (0, 1), [])


def test_after_the_round_no_seat_can_be_called() -> None:
    blocked = "engine 12-12; turn 1; passed 0\n0: 12-5 marked | 9-8 8-8\n1: 12-7 | 9-6\nmexican: 12-4"
    state = after(drawn(blocked, announce="penalty"), "pass")
    assert (state.ended, state.standing.exposed) == (Ended.BLOCKED, 1)
    assert (view_for(state, 0).exposed, view_for(state, 0).legal_moves) == (None, ())


def test_the_limits_are_in_the_view_if_they_were_computed() -> None:
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
