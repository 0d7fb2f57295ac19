"""Make the catalogues that Django reads out of those that people write: ``python -m words.compile``."""

import os
from pathlib import Path

import polib

from words import LOCALE


def compile_all(folder: Path = LOCALE) -> list[Path]:
    """Every catalogue that is older than its source, or missing; those made."""
    return [compiled(source) for source in sorted(folder.glob("*/LC_MESSAGES/*.po")) if is_stale(source)]


def is_stale(source: Path) -> bool:
    made = source.with_suffix(".mo")
    return not made.exists() or made.stat().st_mtime_ns < source.stat().st_mtime_ns


def compiled(source: Path) -> Path:
    """Written aside and put in place whole, for several may compile or read at once."""
    made, aside = source.with_suffix(".mo"), source.with_suffix(f".{os.getpid()}.new")
    polib.pofile(str(source)).save_as_mofile(str(aside))
    return aside.replace(made)


if __name__ == "__main__":
    compile_all()
