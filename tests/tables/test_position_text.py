"""Every line that a position in words may have."""

from typing import Any

import pytest

from tables.models import EndedReason
from tables.narration import People
from tables.presenters.games import presenter_of
from tables.presenters.position_text import position_text

ANN = People({0: "Ann", 1: "Ben"}, {0: "person", 1: "person"}, 0)
LOOKER = People(ANN.names, ANN.kinds)


def seat(number: int, name: str | None, **facts: Any) -> dict[str, Any]:
    return {"seat": number, "name": name, "tile_count": 3, "total": 7, "away": False, "forfeited": False} | facts


def train(name: str, end: int, *tiles: str, marker: bool = False) -> dict[str, Any]:
    return {"train": name, "end": end, "tiles": list(tiles), "marker": marker}


RUNNING: dict[str, Any] = {
    "status": "playing",
    "ended_reason": None,
    "winners": None,
    "turn": {"seat": 0},
    "round": {"number": 1, "of": 2, "engine": "6-6"},
    "seats": [seat(0, "Ann"), seat(1, "Ben")],
    "trains": [train("0", 6), train("1", 5, "6-5"), train("mexican", 4, "6-4")],
    "open_doubles": [],
    "boneyard": 21,
    "you": {"tiles": ["5-1", "6-2"], "legal_moves": [{"move": "draw"}]},
}
OVER = RUNNING | {"status": "finished", "turn": None, "winners": [0], "you": {"tiles": [], "legal_moves": []}}
OPEN = RUNNING | {
    "status": "open",
    "turn": None,
    "round": None,
    "trains": [],
    "seats": [seat(0, "Ann"), seat(1, None)],
    "you": {"tiles": [], "legal_moves": []},
}


def lines(people: People = ANN, last: str | None = None, position: dict[str, Any] = RUNNING, **facts: Any) -> list[str]:
    text = position_text(presenter_of("mexican_train"), position | facts, people, last)
    assert text.endswith("\n")
    return text.splitlines()


def test_a_running_match() -> None:
    assert lines(last="Ben passes.") == [
        "Round 1 of 2. Engine: 6-6.",
        "Last move: Ben passes.",
        "It is your turn.",
        "You: 3 tiles, 7 points.",
        "Ben: 3 tiles, 7 points.",
        "Your train: no tile yet, begins with 6.",
        "Ben's train: ends in 5.",
        "The Mexican Train: ends in 4.",
        "Boneyard: 21.",
        "Your tiles: 5-1, 6-2.",
        "You may: draw (draw)",
    ]


def test_a_spectator_has_no_hand() -> None:
    assert lines(LOOKER, you=None)[1:] == [
        "Turn: Ann.",
        "Ann: 3 tiles, 7 points.",
        "Ben: 3 tiles, 7 points.",
        "Ann's train: no tile yet, begins with 6.",
        "Ben's train: ends in 5.",
        "The Mexican Train: ends in 4.",
        "Boneyard: 21.",
    ]


def test_an_open_table_has_seats_only() -> None:
    said = ["The match has not started.", "You: 3 tiles, 7 points.", "Seat 2 is free."]
    assert lines(position=OPEN) == said
    assert lines(position=OPEN, you=None) == said


def test_a_match_that_is_over() -> None:
    assert lines(position=OVER)[:2] == ["The match is over. Round 1 of 2. Engine: 6-6.", "You win the match."]
    assert lines(LOOKER, position=OVER)[1] == "Ann wins the match."
    decided = lines(position=OVER, ended_reason=EndedReason.FORFEITED)
    assert decided[1] == "You win the match. A forfeit decided the match."
    cancelled = lines(position=OPEN, status="cancelled", ended_reason=EndedReason.HOST_LEFT)
    assert cancelled[0] == "The table was cancelled. The host has left."
    assert "You have no tiles." in lines(position=OVER)


def test_seats() -> None:
    def second(position: dict[str, Any] = RUNNING, **facts: Any) -> str:
        return lines(position=position, seats=[seat(0, "Ann"), seat(1, "Ben", **facts)], trains=[], turn=None)[-4]

    assert second(tile_count=1, total=1) == "Ben: 1 tile, 1 point."
    assert second(away=True) == "Ben: 3 tiles, 7 points. A bot plays for Ben."
    assert second(forfeited=True) == "Ben: 3 tiles, 7 points. Ben has forfeited."
    assert second(away=True, forfeited=True) == "Ben: 3 tiles, 7 points. Ben has forfeited; a bot plays to the end."
    over = lines(position=OVER, seats=[seat(1, "Ben", away=True)], trains=[])
    assert "Ben: 3 tiles, 7 points." in over


def test_trains_and_doubles() -> None:
    trains = [train("0", 5, "6-5", "5-5"), train("1", 4, "6-4", marker=True), train("mexican", 3, "6-3", "3-3")]
    said = lines(trains=trains, open_doubles=["0", "mexican"])
    assert said[4:8] == [
        "Your train: ends in 5.",
        "Ben's train: ends in 4, open to all.",
        "The Mexican Train: ends in 3.",
        "Doubles to be covered: 5-5, 3-3.",
    ]


@pytest.mark.parametrize(
    ("move", "what"),
    [
        ({"move": "6-2>0", "tile": "6-2"}, "lay 6-2 on your own train (6-2>0)"),
        ({"move": "6-2>1", "tile": "6-2"}, "lay 6-2 on Ben's train (6-2>1)"),
        ({"move": "6-2>mexican", "tile": "6-2"}, "lay 6-2 on the Mexican Train (6-2>mexican)"),
        (
            {"move": "6-2>0", "tile": "6-2", "keep_marker": True},
            "lay 6-2 on your own train; the marker stays (6-2>0)",
        ),
        ({"move": "call 1"}, "call Ben (call 1)"),
        ({"move": "pass"}, "pass (pass)"),
        ({"move": "end"}, "end the first turn (end)"),
        ({"move": "announce"}, "announce the last tile (announce)"),
    ],
)
def test_what_the_reader_may_do(move: dict[str, Any], what: str) -> None:
    assert lines(you={"tiles": ["6-2"], "legal_moves": [move]})[-1] == f"You may: {what}"
