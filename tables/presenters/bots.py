"""Presents the bots."""

from typing import Annotated, TypedDict

from rest.texts import described
from rules import games
from tables.presenters.values import Level
from tables.translating import translated


@described("A level that bots play at.")
class BotAnswer(TypedDict):
    level: Annotated[Level, "The level."]
    likes: Annotated[str, "How a bot of this level plays, in one sentence."]
    typical_ms: Annotated[float, "Milliseconds that a move takes."]


def present_bots() -> list[BotAnswer]:
    """Present the levels that bots play at, weakest first."""
    levels = games.levels().values()
    return [{"level": each.level, "likes": translated(each.likes), "typical_ms": each.typical_ms} for each in levels]
