"""Compile the catalogues that people write into those that Django reads: ``python -m words.compile``."""

import os
from pathlib import Path

import polib

from words import LOCALE


def compile_all(folder: Path = LOCALE) -> list[Path]:
    """Compile every catalogue that is missing or older than its source. Returns those compiled."""
    return [compiled(source) for source in sorted(folder.glob("*/LC_MESSAGES/*.po")) if is_stale(source)]


def is_stale(source: Path) -> bool:
    made = source.with_suffix(".mo")
    return not made.exists() or made.stat().st_mtime_ns < source.stat().st_mtime_ns


def compiled(source: Path) -> Path:
    """Write a temporary file and rename it, because several processes may compile or read at once."""
    made, aside = source.with_suffix(".mo"), source.with_suffix(f".{os.getpid()}.new")
    polib.pofile(str(source)).save_as_mofile(str(aside))
    return aside.replace(made)


if __name__ == "__main__":
    compile_all()
