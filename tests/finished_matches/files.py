"""A finished match as a file."""

import json
import re
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent.parent / "finished"
NAMES = sorted(path.stem for path in FOLDER.glob("*.json"))

Match = dict[str, Any]


def path_of(name: str) -> Path:
    return FOLDER / f"{name}.json"


def stored(name: str) -> Match:
    match: Match = json.loads(path_of(name).read_text(encoding="utf-8"))
    return match


def text_of(match: Match) -> str:
    """JSON with a line a fact: short enough to keep, and to be read."""
    facts = {name: json.dumps(value) for name, value in match.items() if name != "rounds"}
    rounds = ",\n".join(in_lines({name: json.dumps(value) for name, value in each.items()}) for each in match["rounds"])
    return in_lines({**facts, "rounds": f"[\n{rounds}\n]"}) + "\n"


def in_lines(facts: dict[str, str]) -> str:
    lines = ",\n ".join(f"{json.dumps(name)}: {text}" for name, text in facts.items())
    return f"{{{lines}}}"


def moves_in(text: str) -> list[tuple[int, str]]:
    """Seat and text of each move; a text may have a space in it."""
    moves = (entry.partition(":") for entry in re.split(r" (?=\d+:)", text))
    return [(int(seat), move) for seat, _, move in moves]
