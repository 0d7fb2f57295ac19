"""The named rule sets (``rules.md`` §7)."""

import pytest

from rules.errors import BadOption
from rules.options import resolve
from rules.presets import PRESETS, rules_of


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_is_the_classic_rules_plus_its_differences(name: str) -> None:
    assert PRESETS[name].name == name
    assert PRESETS[name].title
    assert rules_of(name, {}) == resolve(PRESETS[name].differences)


def test_classic_differs_in_nothing() -> None:
    assert PRESETS["classic"].differences == {}
    assert rules_of("classic", {}) == resolve({})


def test_a_tables_own_differences_come_on_top() -> None:
    assert rules_of("classic", {"rounds": 7}).rounds == 7
    assert PRESETS["classic"].differences == {}


@pytest.mark.parametrize("name", ["", "Classic", "classic ", "no_such_preset", "x" * 5000])
def test_an_unknown_preset_is_refused(name: str) -> None:
    with pytest.raises(BadOption, match="is not one of classic") as refused:
        rules_of(name, {})
    assert refused.value.option == "preset"


def test_a_wrong_difference_is_refused_under_its_own_name() -> None:
    with pytest.raises(BadOption) as refused:
        rules_of("classic", {"rounds": 0})
    assert refused.value.option == "rounds"
