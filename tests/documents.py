"""The documents for people who work on the code, read as Markdown: what they link to, and what they name."""

import ast
import importlib
import json
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from local import ROOT

DOCUMENTS = (
    "CONTRIBUTING.md",
    "SECURITY.md",
    "docs/architecture.md",
    *sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "docs" / "decisions").glob("*.md")),
)
FENCED = re.compile(r"^```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
INLINE = re.compile(r"`([^`\n]+)`")
LINK = re.compile(r"\]\(([^()\s]+)\)")
HEADING = re.compile(r"^#+ (.*)$", re.MULTILINE)
DOTTED = re.compile(r"[a-z_]+(\.\w+)+")
METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")
FILE_NAMES = (".py", ".md", ".toml", ".txt", ".in", ".yml", ".json", ".po")


@cache
def project() -> dict[str, Any]:
    """The contents of ``pyproject.toml``."""
    return tomllib.loads((ROOT / "pyproject.toml").read_text())


def contracts() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = project()["tool"]["importlinter"]["contracts"]
    return found


def packages() -> list[str]:
    found: list[str] = project()["tool"]["importlinter"]["root_packages"]
    return found


def layers_of(package: str) -> list[list[str]]:
    """The contract about a package's own modules: each layer's modules, the highest layer first."""
    (found,) = (each["layers"] for each in contracts() if each["type"] == "layers" and is_about(each, package))
    return [re.split(r"\s*[|:]\s*", layer) for layer in found]


def is_about(contract: dict[str, Any], package: str) -> bool:
    first: str = contract["layers"][0]
    return re.split(r"\s*[|:]\s*", first)[0].rpartition(".")[0] == package


def text_of(document: str) -> str:
    return (ROOT / document).read_text()


def names_in(document: str) -> list[str]:
    """The texts in code type within the sentences of a document."""
    return INLINE.findall(FENCED.sub("", text_of(document)))


def blocks_in(document: str, language: str) -> list[str]:
    return [block for kind, block in FENCED.findall(text_of(document)) if kind == language]


def section(document: str, heading: str) -> str:
    """The text under a heading, up to the next heading of its level or a higher one."""
    text = text_of(document)
    level = re.escape(heading.split(" ", maxsplit=1)[0])
    found = re.search(
        rf"^{re.escape(heading)}\n(.*?)(?=^{level[:-1]}?{level[-1:]} |\Z)", text, re.DOTALL | re.MULTILINE
    )
    assert found, f"{document} has no heading {heading}"
    return found[1]


def fault_of(name: str, *, is_strict: bool) -> str | None:
    """What is wrong with a name in code type; ``None`` if it names something that exists.

    ``is_strict``: whatever is neither a file nor anything else that can be looked up is wrong too.
    """
    first, _, rest = name.partition(" ")
    path, _, test = name.partition("::")
    if name.startswith(("make ", "python -m ")) or (first in METHODS and rest):
        return None if is_command(first, rest) else "no such target, module or operation"
    is_file = path.endswith(FILE_NAMES) or "/" in path or (ROOT / path).exists()
    if is_file and not path.startswith("/") and " " not in path:
        return fault_of_file(path, test)
    if DOTTED.fullmatch(name) and name.partition(".")[0] in packages():
        return None if is_importable(name) else "no such name in the code"
    is_module_of_tables = any((ROOT / "tables" / each).exists() for each in (name, f"{name}.py"))
    is_wrong = is_strict and not is_module_of_tables
    return "neither a file, nor a name of the code with its module, nor a command" if is_wrong else None


def is_command(first: str, rest: str) -> bool:
    match first:
        case "make":
            return is_target(rest.split(maxsplit=1)[0])
        case "python":
            return is_module(rest.split()[1])
    return is_operation(first, rest)


def fault_of_file(path: str, test: str) -> str | None:
    if not any(ROOT.glob(path.rstrip("/"))):
        return "no such file"
    return f"no {test} in {path}" if test and test not in defined_in(path) else None


def is_module(name: str) -> bool:
    path = ROOT / name.replace(".", "/")
    return path.with_suffix(".py").exists() or (path / "__main__.py").exists()


def is_operation(method: str, path: str) -> bool:
    """Whether the API has this operation; an id may have any name in the path."""
    every = json.loads(text_of("docs/openapi.json"))["paths"]
    wanted = re.sub(r"{\w+}", "{}", f"/api/v1/{path}")
    return any(re.sub(r"{\w+}", "{}", each) == wanted and method.lower() in every[each] for each in every)


def is_target(name: str) -> bool:
    return re.search(rf"^(\w[\w -]*\s)?{re.escape(name)}( [\w -]*)?:", text_of("Makefile"), re.MULTILINE) is not None


def defined_in(path: str) -> set[str]:
    tree = ast.parse((ROOT / path).read_text())
    return {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.ClassDef)}


def is_importable(dotted: str) -> bool:
    """Whether a module, or something in one, has this name. A dataclass has its fields as annotations."""
    names = dotted.split(".")
    for length in range(len(names), 0, -1):
        try:
            found: Any = importlib.import_module(".".join(names[:length]))
        except ModuleNotFoundError:
            continue
        for name in names[length:]:
            if name in getattr(found, "__annotations__", {}):
                return name == names[-1]
            if not hasattr(found, name):
                return False
            found = getattr(found, name)
        return True
    return False


def markdown_files() -> list[str]:
    """Every page for people."""
    places = ("*.md", "docs/**/*.md", "clients/*/*.md", ".github/**/*.md", "tests/**/*.md")
    return sorted(path.relative_to(ROOT).as_posix() for place in places for path in ROOT.glob(place))


def dead_links(page: str) -> Iterator[str]:
    """Links to files that are not there, and to headings that they do not have."""
    text = FENCED.sub("", text_of(page))
    for link in LINK.findall(text):
        target, _, heading = link.partition("#")
        if re.match(r"\w+:", target):
            continue
        path = (ROOT / page).parent / unquote(target) if target else ROOT / page
        if not path.exists() or (heading and path.suffix == ".md" and heading not in anchors(path)):
            yield link


@cache
def anchors(path: Path) -> set[str]:
    """What the headings of a page are called in links."""
    headings = HEADING.findall(FENCED.sub("", path.read_text()))
    return {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}
