"""One version, and a changelog that goes from the newest release to the oldest."""

import json
import re
from itertools import pairwise

from config import settings
from mexican_train.client import AGENT
from tests.documents import project, text_of

SECTIONS = ["Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"]
VERSION = project()["project"]["version"]


def headings() -> list[str]:
    return re.findall(r"^## (.*)$", text_of("CHANGELOG.md"), re.MULTILINE)


def numbers(version: str) -> tuple[int, ...]:
    """Of ``1.2.3``; a date may follow."""
    found = re.fullmatch(r"(\d+)\.(\d+)\.(\d+)( - \d{4}-\d\d-\d\d)?", version)
    assert found, f"{version} is no version"
    return tuple(map(int, found.groups()[:3]))


def test_the_clients_have_the_version_of_the_server() -> None:
    package = json.loads(text_of("clients/typescript/package.json"))
    assert package["version"] == VERSION
    assert f"mexican-train-client/{VERSION}" == AGENT
    assert 'dynamic = ["version"]' in text_of("clients/python/pyproject.toml")


def test_the_newest_release_of_the_changelog_is_this_version() -> None:
    assert numbers(headings()[1])[:3] == numbers(VERSION)


def test_the_changelog_is_ordered_by_release() -> None:
    unreleased, *releases = headings()
    assert unreleased == "Unreleased"
    for newer, older in pairwise(releases):
        assert numbers(newer) > numbers(older)


def test_the_sections_of_a_release_are_in_the_usual_order() -> None:
    for release in re.split(r"^## ", text_of("CHANGELOG.md"), flags=re.MULTILINE)[1:]:
        sections = re.findall(r"^### (.*)$", release, re.MULTILINE)
        assert sections == [each for each in SECTIONS if each in sections]


def test_the_schema_has_the_number_of_the_address() -> None:
    assert settings.SPECTACULAR_SETTINGS["VERSION"] == "1"
    assert settings.SPECTACULAR_SETTINGS["SCHEMA_PATH_PREFIX"] == r"/api/v1/"
