"""Presents the bots."""

from typing import Annotated, TypedDict

from rest.texts import described
from rules.mexican_train.bots import BOTS
from tables.presenters.values import Level
from tables.translating import translated


@described("A level that bots play at.")
class BotAnswer(TypedDict):
    level: Annotated[Level, "The level."]
    likes: Annotated[str, "How a bot of this level plays, in one sentence."]
    typical_ms: Annotated[float, "Milliseconds that a move takes."]


def present_bots() -> list[BotAnswer]:
    """Present the levels that bots play at, weakest first."""
    return [{"level": bot.level, "likes": translated(bot.likes), "typical_ms": bot.typical_ms} for bot in BOTS.values()]
