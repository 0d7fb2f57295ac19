"""The translations of the server's texts, and the tools that maintain them: ``docs/translating.md``."""

from pathlib import Path

LOCALE = Path(__file__).parent / "locale"
OTHERS = ("nl", "hu")
"""The languages of the server besides English. The texts in the code are in English."""
