"""The generated part of the rules for readers: options and presets."""

import re
import runpy
import sys
from pathlib import Path

import pytest

from rules.mexican_train import rulebook as module
from rules.mexican_train.options import OPTIONS
from rules.mexican_train.options.hand_sizes import tiles_in_words
from rules.mexican_train.presets import ALL_PRESETS, Preset
from rules.mexican_train.rulebook import BEGIN, END, main, names_in_words, renewed, rulebook

PAGE = Path(__file__).parents[2] / "docs" / "rules.md"
WRITTEN = rulebook()
LINES = WRITTEN.splitlines()


def part(heading: str, written: str = WRITTEN) -> str:
    """What stands under a heading, on one line."""
    _, found, rest = written.partition(f"\n### {heading}")
    assert found
    return " ".join(rest.partition("\n#")[0].split())


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of the page."""
    page = tmp_path / "rules.md"
    page.write_text(f"# Ours\n\nProse.\n\n{BEGIN}\n\nlong ago\n\n{END}\nMore prose.\n", encoding="utf-8")
    return page


def test_the_page_is_current() -> None:
    """If not: ``python -m rules.mexican_train.rulebook docs/rules.md``."""
    page = PAGE.read_text(encoding="utf-8")
    assert renewed(page, WRITTEN) == page


def test_the_command_updates_an_old_page_and_leaves_the_prose(copy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main([str(copy)])
    assert copy.read_text(encoding="utf-8") == f"# Ours\n\nProse.\n\n{BEGIN}\n\n{WRITTEN}\n\n{END}\nMore prose.\n"
    assert capsys.readouterr().out == f"{copy} is now current.\n"


def test_the_command_leaves_a_current_page(copy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main([str(copy)])
    before = copy.read_bytes()
    main([str(copy)])
    assert copy.read_bytes() == before
    assert capsys.readouterr().out.endswith(f"{copy} was current.\n")


def test_it_is_a_command(copy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["rulebook", str(copy)])
    runpy.run_path(str(module.__file__), run_name="__main__")
    assert WRITTEN in copy.read_text(encoding="utf-8")


@pytest.mark.parametrize("page", ["", BEGIN, END, f"{END}\n{BEGIN}"])
def test_a_page_without_the_place_for_it_is_refused(page: str) -> None:
    with pytest.raises(ValueError, match="the page has no line"):
        renewed(page, WRITTEN)


def test_the_command_needs_a_page(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main([])
    assert "pages" in capsys.readouterr().err


def test_every_option_and_every_preset_has_its_part_in_order() -> None:
    headings = [line.removeprefix("### ") for line in LINES if line.startswith("### ")]
    presets = [f"`{preset.name}`: {preset.title}" for preset in ALL_PRESETS]
    assert headings == [f"`{option}`" for option in OPTIONS] + presets


@pytest.mark.parametrize(
    ("option", "item"),
    [
        (
            "draw_rule",
            "- **`one`** (classic): One. *Played by every preset but `box_cars`, `family` and `draw_until`.*",
        ),
        ("must_play", "- **`true`** (classic): It has to lay one. *Played by every preset.*"),
        ("doubles_per_turn", "- `2`: Two. *Played by no preset.*"),
        ("mexican_start", "- `never`: Never: there is no Mexican Train. *Played by `private_trains`.*"),
        ("engine_first", "- `9`: The first round's double is 9-9. *Played by `official_d9`.*"),
        ("rounds", "- `19`: A match has 19 rounds. *Played by `official_d18`.*"),
        (
            "own_train_required_for",
            "- `open_trains`: Lay on another seat's train. *Played by `pressman` and `deluxe`.*",
        ),
        (
            "own_train_required_for",
            "- **`[]`** (classic): It may do everything. *Played by every preset but `pressman`,",
        ),
        ("hand_sizes", "- 11 tiles each for 9 to 12 seats. *Played by `official_d15` and `official_d18`.*"),
        ("hand_sizes", "- **15 tiles each for 2 to 4 seats, 12 for 5 and 6, 10 for 7 and 8** (classic). *Played by"),
    ],
)
def test_a_value_is_described_with_its_meaning_and_its_presets(option: str, item: str) -> None:
    assert item in part(f"`{option}`")


def test_a_preset_is_described_with_its_seats_and_its_differences() -> None:
    assert part("`galt`") == (
        ": Galt 15 tiles each for 2 to 4 seats, 12 for 5 and 6, 11 for 7 and 8. What differs from *classic*:"
        " - `engine_selection` `starter_highest`: Where the engine of a round comes from. *The first seat lays the"
        " highest double it holds that has not been an engine. If it has none, it draws one tile and lays that if it is"
        " such a double; if not, the next seat becomes the first and does the same.*"
    )
    assert part("`own_first`").endswith(
        '10 for 7 and 8, as in *classic*. What differs from *classic*: - `own_train_required_for` `["mexican"]`: What a'
        " seat may not do before its own train holds a tile. *Lay on the Mexican Train.*"
    )
    assert part("`classic`").endswith("as in *classic*. No difference from the rules in bold above.")


def test_another_set_is_described_with_its_rounds() -> None:
    assert "- `rounds` `16`: How many rounds a match has. *A match has 16 rounds.*" in part("`official_d15`")


def test_a_changed_preset_changes_the_text() -> None:
    changed = Preset("own_first", "Own train first", {"own_train_required_for": ["mexican", "covering"]})
    written = rulebook([changed if preset.name == "own_first" else preset for preset in ALL_PRESETS])
    assert written != WRITTEN
    assert "- `covering`: " in part("`own_train_required_for`", written)
    assert "*Played by `own_first`.*" in part("`own_train_required_for`", written).partition("- `covering`: ")[2]
    both = "*Lay on the Mexican Train. Cover a double that binds it: it starts its own train instead.*"
    assert both in part("`own_first`", written)


def test_a_removed_preset_is_not_mentioned() -> None:
    written = rulebook([preset for preset in ALL_PRESETS if preset.name != "deluxe"])
    assert "deluxe" not in written.lower()


def test_a_majority_of_presets_is_described_by_its_exceptions() -> None:
    assert names_in_words([], among="abc") == "no preset"
    assert names_in_words(["a"], among="abc") == "`a`"
    assert names_in_words(["a", "b"], among="abcd") == "`a` and `b`"
    assert names_in_words(["a", "b", "c"], among="abcde") == "every preset but `d` and `e`"
    assert names_in_words([*"abc"], among="abc") == "every preset"


def test_hand_sizes_are_described_by_ranges_of_seats() -> None:
    assert tiles_in_words({"2": 7}) == "7 tiles each for 2 seats"
    assert tiles_in_words({"2": 7, "3": 7, "4": 6, "5": 6, "6": 6}) == "7 tiles each for 2 and 3 seats, 6 for 4 to 6"
    assert tiles_in_words({"2": 7, "4": 7, "8": 3}) == "7 tiles each for 2 and 4 seats, 3 for 8"


def test_it_can_be_read_as_text_too() -> None:
    assert max(map(len, LINES)) <= 120
    assert not any(line != line.rstrip() for line in LINES)
    assert "\n\n\n" not in WRITTEN
    continued = [line.lstrip() for line in LINES if line.startswith("  ")]
    assert not any(line.startswith(("#", "- ", "+ ", "> ", "1. ")) for line in continued)


def test_the_prose_names_every_option_and_no_other_name() -> None:
    named = set(re.findall(r"`(.*?)`", PAGE.read_text(encoding="utf-8").partition(BEGIN)[0]))
    values = {str(value).lower() for option in OPTIONS.values() for value in option.meanings}
    assert named >= set(OPTIONS)
    assert named <= {*OPTIONS, *values, "null", "code", "keep_marker", "12-5"}
