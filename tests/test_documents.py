"""The documents for contributors agree with the code: names, pictures, links."""

import ast
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from local import ROOT
from tests import documents
from tests.cases import for_each
from tests.documents import (
    DOCUMENTS,
    anchors,
    blocks_in,
    contracts,
    dead_links,
    fault_of,
    layers_of,
    markdown_files,
    names_in,
    packages,
    section,
    text_of,
)

ARCHITECTURE = "docs/architecture.md"
STRICT = [each for each in DOCUMENTS if each.startswith("docs/")]
DECISIONS = [each for each in DOCUMENTS if re.match(r"docs/decisions/\d", each)]
HEADINGS = ["Context", "Decision", "What it costs", "What would change our mind", "Checked by"]
SQL_BY_HAND = "docs/decisions/02-hand-written-sql.md"
PLAIN = {"apps", "migrations"}
"""Modules of a package that belong to no layer: Django asks for them by name."""


@pytest.mark.parametrize("document", DOCUMENTS)
def test_what_a_document_names_exists(document: str) -> None:
    found = {name: fault_of(name, is_strict=document in STRICT) for name in names_in(document)}
    assert {name: fault for name, fault in found.items() if fault} == {}


@pytest.mark.parametrize(
    "name",
    [
        "tables/plays.py",
        "tables.play.submit_moves",
        "tables.plays.submit_move",
        "tables.memory.Memory.lose",
        "rules.mexican_train.versions.MexicanTrain.applied",
        "tests/tables/test_snapshots.py::test_nothing",
        "make haste",
        "python -m rules.rulebooks docs/rules.md",
        "POST tables/{id}/move",
        "PUT tables/{id}/moves",
        "docs/nothing",
    ],
)
def test_a_name_that_is_gone_is_found(name: str) -> None:
    assert fault_of(name, is_strict=False)


@pytest.mark.parametrize(
    "name",
    [
        "tables/play.py",
        "tables.play",
        "tables.play.submit_move",
        "tables.memory.Memory.find",
        "rules.mexican_train.versions.MexicanTrain.apply",
        "tables.models.Table.due_at",
        "tests/conftest.py::CheckedMemory",
        "Makefile",
        "make test ARGS='tests/rules -x'",
        "python -m rules.mexican_train.rulebook docs/rules.md",
        "POST tables/{table}/moves",
        "tests/finished",
        "translating",
    ],
)
def test_a_name_that_exists_is_not_reported(name: str) -> None:
    assert fault_of(name, is_strict=True) is None


def test_in_strict_documents_a_name_that_cannot_be_looked_up_is_reported() -> None:
    assert fault_of("submit_move", is_strict=True)
    assert fault_of("submit_move", is_strict=False) is None


@for_each("page", markdown_files())
def test_every_link_has_a_target(page: str) -> None:
    assert list(dead_links(page)) == []


def test_a_dead_link_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(documents, "ROOT", tmp_path)
    (tmp_path / "other.md").write_text("# Rows are the queue, mostly\n")
    good = "[a](other.md) [b](other.md#rows-are-the-queue-mostly) [c](https://example.org/x) [d](#top)\n"
    (tmp_path / "page.md").write_text(f"# Top\n{good}[e](none.md) [f](other.md#none) [g](#none)\n")
    anchors.cache_clear()
    assert list(dead_links("page.md")) == ["none.md", "other.md#none", "#none"]


def arrows() -> list[tuple[str, str]]:
    (picture,) = blocks_in(ARCHITECTURE, "mermaid")
    return re.findall(r"^    (\w+) --> (\w+)$", picture, re.MULTILINE)


def imports_between_packages() -> Iterator[tuple[str, str]]:
    for package in packages():
        for path in (ROOT / package).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text())):
                for name in imported_by(node):
                    if name in packages() and name != package:
                        yield package, name


def imported_by(node: ast.AST) -> list[str]:
    """The packages that a statement imports, if it is an import."""
    if isinstance(node, ast.ImportFrom):
        return [str(node.module).partition(".")[0]]
    return [each.name.partition(".")[0] for each in node.names] if isinstance(node, ast.Import) else []


def test_the_picture_has_every_package_and_no_other() -> None:
    assert {name for arrow in arrows() for name in arrow} == set(packages())


@pytest.mark.slow
def test_the_arrows_of_the_picture_are_the_imports_of_the_code() -> None:
    assert sorted(arrows()) == sorted(set(imports_between_packages()))


def test_the_arrows_of_the_picture_are_allowed_by_the_import_contracts() -> None:
    layers = layers_of("")
    height = {name: -at for at, layer in enumerate(layers) for name in layer}
    for importer, imported in arrows():
        if importer in height and imported in height:
            assert height[importer] > height[imported], f"{importer} --> {imported}"
        for each in contracts():
            if each["type"] == "forbidden" and importer in each["source_modules"]:
                assert imported not in each["forbidden_modules"], each["name"]


def test_the_layers_of_the_packages_are_those_of_the_contract() -> None:
    block = blocks_in(ARCHITECTURE, "text")[1]
    assert [line.split(" : ") for line in block.splitlines()] == layers_of("")


def test_the_document_lists_every_import_contract() -> None:
    told = re.findall(r"^- (.*)$", section(ARCHITECTURE, "### The direction of imports"), re.MULTILINE)
    assert told == [each["name"] for each in contracts()]


def test_the_table_of_packages_is_complete() -> None:
    names = re.findall(r"^\| `(\w+)` \|", section(ARCHITECTURE, "## Packages"), re.MULTILINE)
    assert sorted(names) == sorted(packages())


def test_the_table_of_modules_of_tables_is_complete_and_follows_the_layers() -> None:
    rows = re.findall(r"^\| [^`|]*\| (`.*) \|$", section(ARCHITECTURE, "### Inside `tables`"), re.MULTILINE)
    told = [re.findall(r"`(\w+)`", row) for row in rows]
    place = {name: at for at, layer in enumerate(layers_of("tables")) for name in layer}
    assert sorted(f"tables.{name}" for row in told for name in row) == sorted(place)
    for upper, lower in pairwise(told):
        assert max(place[f"tables.{name}"] for name in upper) < min(place[f"tables.{name}"] for name in lower)


@pytest.mark.parametrize(
    "package",
    [
        "tables",
        "webhooks",
        "rules",
        "rules.mexican_train",
        "rules.records",
        "laboratory",
        "tables.presenters.mexican_train.drawing",
    ],
)
def test_every_module_has_a_layer(package: str) -> None:
    """So that the contract about a package's own modules is about all of them."""
    folder = ROOT / package.replace(".", "/")
    modules = {path.stem for path in folder.glob("*.py")} | {path.parent.name for path in folder.glob("*/__init__.py")}
    named = {name for layer in layers_of(package) for name in layer}
    assert {f"{package}.{name}" for name in modules - PLAIN - {"__init__"}} == named


@pytest.mark.parametrize("record", DECISIONS)
def test_a_decision_has_its_five_headings(record: str) -> None:
    assert re.findall(r"^## (.*)$", text_of(record), re.MULTILINE) == HEADINGS


@pytest.mark.parametrize("record", DECISIONS)
def test_a_decision_names_what_checks_it(record: str) -> None:
    assert re.search(r"`(tests/|gunicorn)", section(record, "## Checked by"))


def test_the_list_of_decisions_is_complete() -> None:
    listed = re.findall(r"^\d+\. \[(.*)\]\((.*)\)$", text_of("docs/decisions/README.md"), re.MULTILINE)
    assert [f"docs/decisions/{name}" for _, name in listed] == DECISIONS
    for at, (title, name) in enumerate(listed, start=1):
        assert text_of(f"docs/decisions/{name}").startswith(f"# {at}. {title}\n")
        assert name.startswith(f"{at:02}-")


def test_sql_by_hand_is_only_in_the_files_of_the_decision() -> None:
    files = [
        path for package in packages() for path in (ROOT / package).rglob("*.py") if "migrations" not in path.parts
    ]
    found = {path.relative_to(ROOT).as_posix() for path in files if ".cursor()" in path.read_text()}
    (sentence,) = re.findall(r"^- The only files .*?;", section(SQL_BY_HAND, "## Checked by"), re.DOTALL | re.MULTILINE)
    assert set(re.findall(r"`([^`]+)`", sentence)) == found


def test_the_readme_leads_to_the_documents() -> None:
    linked = set(re.findall(r"\]\(([^)#]+)\)", text_of("README.md")))
    assert {"CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md", ARCHITECTURE, "docs/decisions/README.md"} <= linked


def templates() -> list[str]:
    folder = ROOT / ".github"
    return [path.relative_to(ROOT).as_posix() for path in (*folder.glob("*.md"), *folder.glob("ISSUE_TEMPLATE/*.md"))]


@pytest.mark.parametrize("template", templates())
def test_a_template_names_no_address(template: str) -> None:
    assert "://" not in text_of(template)
    assert "@" not in text_of(template)


@pytest.mark.parametrize("template", [each for each in templates() if "ISSUE" in each])
def test_a_template_of_an_issue_says_what_it_is_for(template: str) -> None:
    assert re.match(r"---\nname: .+\nabout: .+\n---\n\n", text_of(template))


def test_reports_of_security_faults_are_private() -> None:
    assert "SECURITY.md" in text_of(".github/ISSUE_TEMPLATE/bug.md")
    assert not re.search(r"\w@\w", text_of("SECURITY.md"))
