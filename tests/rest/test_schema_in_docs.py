"""The texts of the schema that ``docs`` repeats are the same in both."""

import json
import re
from collections import defaultdict
from typing import Any

import pytest

from rest.problems import ELSEWHERE
from rules.mexican_train.reasons import SENTENCES
from tests.acceptance.server import ROOT
from tests.rest.operations import operations, schema

TABLES, PROBLEMS = ROOT / "docs" / "tables.md", ROOT / "docs" / "problems.md"
TOLD = re.compile(r"^- `(\w+)`: (.*)$", re.MULTILINE)


def fields_of(component: str) -> dict[str, Any]:
    found: dict[str, Any] = schema()["components"]["schemas"][component]["properties"]
    return found


def rows(component: str) -> list[str]:
    """The lines of Markdown that describe the fields of a request."""
    told = fields_of(component)
    return [f"| `{name}` | `{json.dumps(each['default'])}` | {each['description']} |" for name, each in told.items()]


def test_the_document_lists_every_field_of_a_new_table_with_its_default() -> None:
    lines = TABLES.read_text().splitlines()
    told = rows("OpenTableRequest")
    first = lines.index(told[0])
    assert lines[first : first + len(told)] == told
    assert not lines[first + len(told)]


@pytest.mark.parametrize("component", ["PatchedChangeTableRequest", "CheckRequest"])
def test_every_request_describes_each_field_of_a_table(component: str) -> None:
    assert [name for name, each in fields_of(component).items() if not each.get("description")] == []


def test_a_change_has_no_defaults() -> None:
    """Fields left out keep their value."""
    assert [name for name, each in fields_of("PatchedChangeTableRequest").items() if "default" in each] == []


def codes() -> list[str]:
    """The lines that describe each code, with its statuses and its texts."""
    told: dict[str, dict[str, None]] = defaultdict(dict)
    statuses: dict[str, set[str]] = defaultdict(set)
    refusals = [(status, answer["description"]) for each in operations() for status, answer in each.answers.items()]
    refusals += [(str(each.status), f"- `{each.code}`: {each.detail}") for each in ELSEWHERE]
    for status, description in refusals:
        for code, sentence in TOLD.findall(description):
            told[code][sentence] = None
            statuses[code].add(status)
    return [f"| `{code}` | {' '.join(sorted(statuses[code]))} | {' '.join(told[code])} |" for code in sorted(told)]


def reasons() -> list[str]:
    return [f"| `{reason}` | {sentence} |" for reason, sentence in SENTENCES.items()]


def test_the_document_lists_every_code_and_every_reason() -> None:
    lines = PROBLEMS.read_text().splitlines()
    assert [line for line in lines if line.startswith("| `")] == [*codes(), *reasons()]
