"""Values that several answers have, with their meaning."""

from typing import Annotated, Literal, TypeAlias

from rules import games
from rules.game import Ended
from rules.records.record import FaultCode
from tables.models import EndedReason

REASONS = tuple(reason.value for reason in games.reasons())
PHASES = tuple(games.phases())
MOVE_TYPES = tuple(games.move_types())
ENDINGS = tuple(ended.value for ended in Ended)
FAULT_CODES = tuple(code.value for code in FaultCode)
FAIRNESS = ("verified", "partly_verified", "not_stated")
"""The values of fields that may have only these. ``config/settings.py`` names each list in the schema."""
LEVELS = tuple(sorted(games.levels()))
Level: TypeAlias = Annotated[str, Literal[LEVELS]]
"""A bot's level."""
Away: TypeAlias = Annotated[
    bool, "Whether a bot plays for the player: until they are back, or to the end of the match."
]
Forfeited: TypeAlias = Annotated[
    bool, "Whether the seat was forfeited: its time ran out under `on_timeout: forfeit`, so it cannot win."
]
Total: TypeAlias = Annotated[int, "The seat's points of all rounds that are over. The lowest total wins."]
TileCount: TypeAlias = Annotated[int, "How many tiles the seat holds; 0 before the match."]
Winners: TypeAlias = Annotated[
    list[int] | None, "The seats that won, which are several if they tie; `null` unless the match is finished."
]
WhyOver: TypeAlias = Annotated[
    Annotated[str, EndedReason] | None,
    (
        "Why the table is over; `null` if it is not. For `finished`: `played`, or `forfeited` (forfeited seats changed "
        "who won, or every person's seat was forfeited). For `cancelled`: `cancelled_by_host`, `cancelled_by_admin`, "
        "`host_left` (nobody could start the match), `expired` (nothing happened at an open table for too long), "
        "`abandoned` (nobody moved in a match without a clock)."
    ),
]
Said: TypeAlias = Annotated[str, "The move as a sentence, with `said=true`."]
