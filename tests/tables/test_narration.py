"""The sentences for everything that can happen at a table, as each reader gets them."""

from typing import Any

import pytest

from rules.game import Ended
from rules.mexican_train.notation import parse_move
from rules.mexican_train.view import view_for
from rules.tiles import parse_tile
from tables import narration
from tables.models import By, EndedReason
from tables.narration import Happened, People
from tables.presenters.mexican_train.narration import round_begins, what_a_move_did
from tests.rules.drawing import after, drawn

NAMES: dict[int, str | None] = {0: "Ann", 1: "Ben", 2: "Otto", 3: None}
KINDS: dict[int, str | None] = {0: "person", 1: "person", 2: "bot", 3: None}
ANN, BEN, OTTO, NOBODY = (People(NAMES, KINDS, seat) for seat in (0, 1, 2, None))


def text_of(people: People, seat: int, move: str, by: str = By.PERSON, **more: Any) -> str:
    happened = Happened(seat, parse_move(move), move, by, **more)
    return narration.move_said(happened, people, what_a_move_did(happened, people))


@pytest.mark.parametrize(
    ("move", "to_reader", "to_other", "to_nobody"),
    [
        ("6-5>0", "You lay 6-5 on your own train.", "Ann lays 6-5 on their own train.", None),
        ("6-5>1", "You lay 6-5 on Ben's train.", "Ann lays 6-5 on your train.", "Ann lays 6-5 on Ben's train."),
        ("6-5>3", "You lay 6-5 on seat 4's train.", "Ann lays 6-5 on seat 4's train.", None),
        ("6-5>mexican", "You lay 6-5 on the Mexican Train.", "Ann lays 6-5 on the Mexican Train.", None),
        ("draw", "You draw a tile.", "Ann draws a tile.", None),
        ("pass", "You pass.", "Ann passes.", None),
        ("end", "You end your first turn.", "Ann ends the first turn.", None),
        ("announce", "You announce your last tile.", "Ann announces the last tile.", None),
    ],
)
def test_the_sentence_of_each_move_for_each_reader(
    move: str, to_reader: str, to_other: str, to_nobody: str | None
) -> None:
    assert [text_of(people, 0, move) for people in (ANN, BEN, NOBODY)] == [
        to_reader,
        to_other,
        to_nobody or to_other,
    ]


def test_a_bot_that_plays_for_a_person_is_named_after_the_person() -> None:
    lays = [text_of(people, 0, "6-5>0", By.BOT) for people in (ANN, BEN, NOBODY)]
    assert lays == [
        "Your bot lays 6-5 on your train.",
        "Ann's bot lays 6-5 on Ann's train.",
        "Ann's bot lays 6-5 on Ann's train.",
    ]
    assert text_of(BEN, 0, "6-5>1", By.BOT) == "Ann's bot lays 6-5 on your train."
    assert text_of(ANN, 0, "pass", By.BOT) == "Your bot passes."
    assert text_of(ANN, 2, "6-5>2", By.BOT) == "Otto lays 6-5 on their own train."


def test_a_drawn_tile_is_named_only_if_the_reader_may_see_it() -> None:
    drawn_tile = (parse_tile("6-5"),)
    assert text_of(ANN, 0, "draw", drawn=drawn_tile) == "You draw 6-5."
    assert text_of(BEN, 0, "draw", drawn=drawn_tile) == "Ann draws 6-5."


def test_a_turn_that_the_clock_ends() -> None:
    assert text_of(ANN, 0, "pass", By.TIMEOUT) == "Your time is up. You pass."
    assert text_of(BEN, 0, "pass", By.TIMEOUT) == "Time is up for Ann. Ann passes."


def two_views(before: str, *moves: str, **options: object) -> dict[str, Any]:
    """The round before and after these moves, as everybody sees it."""
    state = drawn(before, **options)
    return {"before": view_for(state, None), "after": view_for(after(state, *moves), None)}


def test_a_call() -> None:
    tiles = tuple(map(parse_tile, ("6-3", "6-1")))
    assert text_of(ANN, 0, "call 1", drawn=tiles) == (
        "You call Ben, who did not announce the last tile. Ben draws 6-3, 6-1."
    )
    assert text_of(BEN, 0, "call 1", drawn=tiles) == (
        "Ann calls you: you did not announce your last tile. You draw 6-3, 6-1."
    )
    assert text_of(OTTO, 0, "call 1", drawn=tiles) == (
        "Ann calls Ben, who did not announce the last tile. Ben draws 6-3, 6-1."
    )


@pytest.mark.parametrize(("boneyard", "penalty"), [("6-3 6-1 2-0", "2 tiles"), ("6-3", "1 tile")])
def test_hidden_penalty_tiles_are_only_counted(boneyard: str, penalty: str) -> None:
    laid = f"""
        engine 12-12; turn 0; boneyard {boneyard}
        0: 12-5 | 5-4 5-1
        1: 12-7 | 7-6 12-1
        mexican:
    """
    options: dict[str, object] = {"announce": "penalty", "announce_penalty_tiles": 2}
    state = after(drawn(laid, **options), "5-4>0")
    views: dict[str, Any] = {"before": view_for(state, None), "after": view_for(after(state, "call 0"), None)}
    assert text_of(NOBODY, 1, "call 0", **views) == (
        f"Ben calls Ann, who did not announce the last tile. Ann draws {penalty}."
    )


STUCK = """
    engine 12-12; turn 0
    0: 12-5 | 9-8
    1: 12-7 marked | 7-6 3-1
    mexican:
"""


def test_markers() -> None:
    opened = two_views(STUCK, "pass")
    assert text_of(ANN, 0, "pass", **opened) == "You pass. Your train is open now."
    assert text_of(BEN, 0, "pass", **opened) == "Ann passes. Ann's train is open now."
    closed = two_views(STUCK.replace("turn 0", "turn 1"), "7-6>1")
    assert text_of(BEN, 1, "7-6>1", **closed) == "You lay 7-6 on your own train. The marker comes off your train."
    assert text_of(ANN, 1, "7-6>1", **closed) == "Ben lays 7-6 on their own train. The marker comes off Ben's train."


DOUBLES = """
    engine 12-12; turn 0
    0: 12-5 | 5-5 5-1 9-8
    1: 12-7 | 7-6 3-1
    mexican:
"""


def test_doubles() -> None:
    laid = two_views(DOUBLES, "5-5>0")
    assert text_of(BEN, 0, "5-5>0", **laid) == "Ann lays 5-5 on their own train. The double 5-5 must be covered."
    double = DOUBLES.replace("turn 0", "turn 0; open 0/0*").replace("12-5 | 5-5", "12-5 5-5 |")
    covered = two_views(double, "5-1>0")
    assert text_of(BEN, 0, "5-1>0", **covered) == "Ann lays 5-1 on their own train. The double 5-5 is covered."
    still_open: dict[str, Any] = {"before": covered["before"], "after": covered["before"]}
    assert text_of(BEN, 0, "draw", **still_open) == "Ann draws a tile."
    lifted: dict[str, Any] = {"before": covered["before"], "after": covered["after"]}
    assert text_of(BEN, 0, "draw", **lifted) == "Ann draws a tile. The double 5-5 need not be covered any more."
    elsewhere = text_of(BEN, 0, "9-8>mexican", **lifted)
    assert elsewhere.endswith("The double 5-5 need not be covered any more.")


def test_the_end_of_a_round() -> None:
    result = {"number": 3, "ended": Ended.OUT, "out": 0, "points": [0, 12, 5]}
    ending = "Round 3 is over. Points: Ann 0, Ben 12, Otto 5."
    assert narration.round_over_said(result, ANN) == f"You are out. {ending}"
    assert narration.round_over_said(result, BEN) == f"Ann is out. {ending}"
    for blocked in ({"ended": Ended.BLOCKED, "out": None}, {"ended": Ended.BLOCKED, "out": 0}):
        assert narration.round_over_said(result | blocked, BEN) == f"Nobody can go on: the round is blocked. {ending}"
    assert text_of(BEN, 0, "6-5>0", result=result).endswith(f"train. Ann is out. {ending}")


def test_the_end_of_a_match() -> None:
    ends = {
        (0,): "You win the match.",
        (1,): "Ben wins the match.",
        (0, 2): "Ann, Otto share the victory.",
        (): "Nobody wins the match.",
    }
    for winners, sentence in ends.items():
        assert text_of(ANN, 0, "pass", winners=winners) == f"You pass. {sentence}"
    forfeited = text_of(BEN, 0, "pass", winners=(1,), ended_reason=EndedReason.FORFEITED)
    assert forfeited == "Ann passes. You win the match. A forfeit decided the match."
    assert text_of(BEN, 0, "pass", ended_reason=EndedReason.FORFEITED) == "Ann passes."


def test_who_sits_in_a_seat() -> None:
    def seat(number: int, people: People = NOBODY, *, away: bool = False, forfeited: bool = False) -> str:
        return narration.seat_said(number, people, is_away=away, is_forfeited=forfeited)

    assert (seat(3), seat(0)) == ("Seat 4 is free.", "In seat 1: Ann.")
    assert seat(0, away=True) == "A bot plays for Ann."
    assert seat(0, ANN, away=True) == "A bot plays for you."
    assert seat(0, forfeited=True) == "Ann has forfeited."
    assert seat(0, ANN, forfeited=True) == "You have forfeited."
    assert seat(0, away=True, forfeited=True) == "Ann has forfeited; a bot plays to the end."
    assert seat(0, ANN, away=True, forfeited=True) == "You have forfeited; a bot plays to the end."


@pytest.mark.parametrize(
    ("reason", "sentence"),
    [
        (EndedReason.CANCELLED_BY_HOST, " The host cancelled it."),
        (EndedReason.CANCELLED_BY_ADMIN, " An administrator cancelled it."),
        (EndedReason.HOST_LEFT, " The host has left."),
        (EndedReason.EXPIRED, " Nothing had happened there for too long."),
        (EndedReason.ABANDONED, " Nobody had moved for too long."),
        (None, ""),
    ],
)
def test_why_a_table_was_cancelled(reason: str | None, sentence: str) -> None:
    changed = {"changed": ["status"], "status": "cancelled", "ended_reason": reason}
    assert narration.table_said(changed, NOBODY) == f"The table was cancelled.{sentence}"


def test_what_has_changed_about_a_table() -> None:
    def table(*names: str, **facts: Any) -> str:
        given = {"status": "playing", "winners": [1], "next_table": "x", "ended_reason": EndedReason.FORFEITED}
        return narration.table_said({**given, **facts, "changed": names}, ANN)

    settings = "The settings of the table have changed."
    assert table("status") == "The match is on."
    assert table("status", "winners", status="finished") == (
        "The match is over. Ben wins the match. A forfeit decided the match."
    )
    assert table("winners", winners=None) == settings
    assert table("next_table") == "The next match has a table."
    assert table("next_table", next_table=None) == settings
    assert table("deadline") == "The turn has more time."
    assert table("name") == settings


def test_a_deal() -> None:
    assert round_begins(2, "5-5", 1, NOBODY) == "Round 2 begins. Engine: 5-5. First turn: Ben."


def test_a_name_from_right_to_left_does_not_disturb_the_sentence() -> None:
    people = People({0: "\u05d3\u05d5\u05d3", 1: "\u0633\u0644\u0645\u0649", 2: "Ann"}, KINDS)
    assert [people.name(seat) for seat in range(3)] == [
        "\u2068\u05d3\u05d5\u05d3\u2069",
        "\u2068\u0633\u0644\u0645\u0649\u2069",
        "Ann",
    ]
