"""What the clock plays for a seat whose time is over."""

import pytest

from rules.mexican_train.legality import clocks_move
from rules.mexican_train.notation import move_text
from tests.rules.drawing import drawn

THREE_WAYS = "engine 12-12; turn 0\n0: 12-5 | 5-4 5-1 12-9\n1: 12-7 | 9-8\nmexican:"
LAST_TWO = "engine 12-12; turn 0; boneyard 3-2\n0: 12-5 | 5-4 9-8\n1: 12-7 | 7-1 8-8\nmexican:"


@pytest.mark.parametrize(
    ("position", "options", "move"),
    [
        (THREE_WAYS, {}, "5-1>0"),
        (THREE_WAYS.replace("5-4 5-1 12-9", "4-1"), {}, "pass"),
        (LAST_TWO, {}, "5-4>0"),
        (LAST_TWO, {"announce": "penalty"}, "announce"),
        (LAST_TWO.replace("turn 0", "turn 0; announced 0"), {"announce": "penalty"}, "5-4>0"),
        (LAST_TWO.replace("5-4 9-8", "9-8 9-7"), {"announce": "penalty"}, "draw"),
        (LAST_TWO.replace("turn 0", "turn 0; first 0 1"), {"first_turn_length": "unlimited"}, "5-4>0"),
        (LAST_TWO.replace("turn 0", "turn 0; first 0 1; laid 1"), {"first_turn_length": "unlimited"}, "end"),
        (LAST_TWO.replace("turn 0", "turn 0; drew 1"), {"drawn_tile": "may"}, "5-4>0"),
    ],
)
def test_the_clock_announces_or_ends_a_long_first_turn_or_makes_the_first_move(
    position: str, options: dict[str, object], move: str
) -> None:
    assert move_text(clocks_move(drawn(position, **options))) == move


def test_the_clock_makes_no_calls() -> None:
    exposed = drawn(
        LAST_TWO.replace("turn 0", "turn 0; exposed 1").replace("5-4 9-8", "9-8 9-7 9-6"), announce="penalty"
    )
    assert move_text(clocks_move(exposed)) == "draw"
