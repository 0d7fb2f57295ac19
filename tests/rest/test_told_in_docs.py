"""What the schema says and people read in ``docs``: the same in both."""

import json
from typing import Any

import pytest

from tests.acceptance.server import ROOT
from tests.rest.operations import schema

TABLES = ROOT / "docs" / "tables.md"


def fields_of(component: str) -> dict[str, Any]:
    found: dict[str, Any] = schema()["components"]["schemas"][component]["properties"]
    return found


def rows(component: str) -> list[str]:
    """The lines of Markdown that tell the fields of a request."""
    told = fields_of(component)
    return [f"| `{name}` | `{json.dumps(each['default'])}` | {each['description']} |" for name, each in told.items()]


def test_opening_a_table_is_told_with_every_default() -> None:
    lines = TABLES.read_text().splitlines()
    assert [line for line in lines if line.startswith("| `")] == rows("OpenTableRequest")


@pytest.mark.parametrize("component", ["PatchedChangeTableRequest", "CheckRequest"])
def test_every_field_of_a_table_is_described_wherever_it_is_sent(component: str) -> None:
    assert [name for name, each in fields_of(component).items() if not each.get("description")] == []


def test_a_change_has_no_defaults() -> None:
    """What is not sent stays as it is."""
    assert [name for name, each in fields_of("PatchedChangeTableRequest").items() if "default" in each] == []
