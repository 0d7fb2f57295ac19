"""Tables of variables in the documents. ``python -m tests.config.page`` writes the one of ``docs/production.md``."""

import re
from pathlib import Path
from typing import Any

from config.environment import VARIABLES
from config.variables import Variable
from local import ROOT

PAGE = ROOT / "docs" / "production.md"
HEAD = "| variable | default | meaning |\n|---|---|---|\n"
ROWS = re.compile(re.escape(HEAD) + r"((?:\|.*\n)*)")


def rows() -> str:
    """A row for each variable that the code declares."""
    return "".join(f"| `{name}` | {default_of(each)} | {each.meaning} |\n" for name, each in VARIABLES.items())


def default_of(variable: Variable[Any]) -> str:
    if variable.default is None:
        return "required"
    return f"`{variable.default}`" if variable.default else "none"


def renewed(page: str) -> str:
    assert len(ROWS.findall(page)) == 1
    return ROWS.sub(lambda _: HEAD + rows(), page)


def defaults_in(page: Path) -> dict[str, str]:
    """The default of each variable in the table of a page."""
    (table,) = ROWS.findall(page.read_text())
    return dict(re.findall(r"^\| `(\w+)` \| `?([^`|]*?)`? \|", table, re.MULTILINE))


if __name__ == "__main__":
    PAGE.write_text(renewed(PAGE.read_text()))
