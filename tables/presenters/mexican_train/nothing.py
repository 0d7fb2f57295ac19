"""What the answers say of Mexican Train at a table of another game: the names stay, and there is nothing to say."""

from typing import Any

NOTHING_ON_THE_TABLE: dict[str, Any] = {"trains": [], "open_doubles": []}
NOTHING_MISSED: dict[str, Any] = {"may_be_called": None}
NOTHING_OF_A_SEAT: dict[str, Any] = {"announced": False}
NO_FACTS_OF_A_ROUND: dict[str, Any] = {"engine": None, "engine_from": None, "starter": None}
