"""JSON that the client reads: new fields are kept, and a missing or wrong field is named."""

from typing import Any

import pytest

from mexican_train import Bot, LoggedMove, Position, Table
from mexican_train.reading import Unreadable, many, one
from tests.examples import answer_of

TABLE = answer_of("table")
POSITION = answer_of("position")
MOVE = {
    "number": 1,
    "round": 1,
    "seat": 0,
    "move": "draw",
    "type": "draw",
    "by": "person",
    "at": "2026-11-30T12:00:00Z",
}
BOT = {"level": "easy", "likes": "", "typical_ms": 1}


def test_unknown_fields_are_kept_separately() -> None:
    table = one(Table)(TABLE | {"mood": "merry", "status": "paused"})
    assert (table.raw["mood"], table.status) == ("merry", "paused")
    assert table == one(Table)(TABLE | {"status": "paused"})


def test_it_is_frozen_down_to_its_lists() -> None:
    position = one(Position)(POSITION)
    assert isinstance(position.trains[0].tiles, tuple)
    with pytest.raises(AttributeError):
        position.version = 2  # type: ignore[misc]


@pytest.mark.parametrize("at", ["2026-11-30T12:00:00Z", "2026-11-30T12:00:00.123Z", "2026-11-30T13:00:00.123456+01:00"])
def test_times_are_aware(at: str) -> None:
    moved = one(LoggedMove)(MOVE | {"at": at}).at
    assert (moved.utctimetuple().tm_hour, moved.tzinfo is None) == (12, False)


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ([BOT | {"level": 1}], "Bot.level is not of type str"),
        ([BOT | {"typical_ms": True}], "Bot.typical_ms is not of type float"),
        ([{"level": "easy"}], "Bot has no likes"),
        ([1], "Bot is not an object"),
        (BOT, "Bot is not a list"),
    ],
)
def test_a_wrong_field_is_named(wrong: Any, sentence: str) -> None:
    with pytest.raises(Unreadable, match=sentence):
        many(Bot)(wrong)
    with pytest.raises(Unreadable, match=r"LoggedMove.at is not a time"):
        one(LoggedMove)(MOVE | {"at": "noon"})
