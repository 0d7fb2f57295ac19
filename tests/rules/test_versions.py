"""Which versions of the rules can be played again."""

import pytest

from rules import ENGINE_VERSION
from rules.versions import VERSIONS, UnknownVersion, version_of


def test_new_tables_are_played_by_the_newest_version() -> None:
    assert max(VERSIONS) == ENGINE_VERSION


def test_every_version_up_to_the_newest_is_kept() -> None:
    assert list(VERSIONS) == list(range(1, ENGINE_VERSION + 1))
    assert [version_of(number) for number in VERSIONS] == list(VERSIONS.values())


@pytest.mark.parametrize("number", [0, ENGINE_VERSION + 1])
def test_an_unknown_version_is_told_with_those_that_are_there(number: int) -> None:
    with pytest.raises(UnknownVersion, match=f"version {number} is unknown; this server plays 1"):
        version_of(number)
