"""The texts of the server in its other languages, and how they are kept: ``docs/translating.md``."""

from pathlib import Path

LOCALE = Path(__file__).parent / "locale"
OTHERS = ("nl", "hu")
"""The languages that are spoken here besides English, which the texts are written in."""
