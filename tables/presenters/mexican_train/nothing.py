"""The fields of Mexican Train in answers about other games: the fields are present, and their values are empty."""

from typing import Any

NOTHING_ON_THE_TABLE: dict[str, Any] = {"trains": [], "open_doubles": []}
NOTHING_MISSED: dict[str, Any] = {"may_be_called": None}
NOTHING_OF_A_SEAT: dict[str, Any] = {"announced": False}
NO_FACTS_OF_A_ROUND: dict[str, Any] = {"engine": None, "engine_from": None, "starter": None}
