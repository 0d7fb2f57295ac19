"""``manage.py simulate`` without database or Redis: from its arguments to a table, CSV and JSON."""

import csv
import json
import os
import re
import subprocess
import sys
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from laboratory.printing import flat

ROOT = Path(__file__).resolve().parent.parent.parent
NOBODY_THERE = {"DATABASE_URL": "postgresql://127.0.0.1:1/none", "REDIS_URL": "redis://127.0.0.1:1/0"}


def output_of(*words: str) -> str:
    out = StringIO()
    call_command("simulate", *words, "--workers=1", "--verbosity=0", stdout=out)
    return out.getvalue()


def rows(text: str) -> list[list[str]]:
    """The columns of each pair's line."""
    return [re.split("  +", line) for line in text.splitlines() if re.match(r"\w+ v \w+  ", line)]


def run(*words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "manage.py", "simulate", *words]
    environment = os.environ | NOBODY_THERE | {"DJANGO_SETTINGS_MODULE": "config.settings"}
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)


@pytest.mark.slow
def test_it_works_with_neither_database_nor_redis() -> None:
    ran = run("easy", "random", "--deals=4", "--seats=2", "--workers=2")
    assert (ran.returncode, len(rows(ran.stdout))) == (0, 1)
    title = "2 seats, 4 duplicate deals, matches of 13 rounds, seed 'laboratory', 150 ms to think; classic"
    assert ran.stdout.splitlines()[0] == title
    assert "4/4" in ran.stderr


def test_a_refusal_is_one_line_and_exit_status_2() -> None:
    ran = run("hard", "perfect")
    assert (ran.returncode, ran.stdout) == (2, "")
    assert re.fullmatch(r"CommandError: There is no level 'perfect'; the levels are .*, hard.*\.\n", ran.stderr)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["hard"], "Name at least two levels"),
        ([], "Name at least two levels"),
        (["hard", "easy", "--deals=0"], "The number of deals must be at least 1"),
        (["hard", "easy", "--seats=9"], "these rules are for 2, 3, 4, 5, 6, 7, 8 seats, not 9"),
        (["hard", "easy", "--preset=nobodys"], 'preset: "nobodys" is not one of classic'),
        (["hard", "easy", "--options={"], "--options is not valid JSON"),
        (["hard", "easy", "--options=[1]"], "--options must be a JSON object"),
        (["hard", "easy", '--options={"draws": 1}'], "draws: this option does not exist"),
        (["hard", "easy", "--rounds-a-match=14"], "rounds: a match with the first engine 12 has at most 13 rounds"),
        (["hard", "easy", "--think-ms=-1"], "The time for a move must be 0 ms or more"),
        (["hard", "easy", "--csv=/nowhere/at/all.csv"], "/nowhere/at/all.csv cannot be written: No such file"),
    ],
)
def test_a_wrong_argument_is_reported_in_one_line(words: list[str], told: str) -> None:
    with pytest.raises(CommandError) as refused:
        output_of(*words)
    assert told in str(refused.value)
    assert "\n" not in str(refused.value)
    assert refused.value.returncode == 2


def test_there_is_at_least_one_worker() -> None:
    with pytest.raises(CommandError, match="number of workers must be at least 1"):
        call_command("simulate", "hard", "easy", "--workers=0")


@pytest.mark.parametrize("other", ["found", "./found", "linked"])
def test_csv_and_json_want_a_file_each(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, other: str) -> None:
    monkeypatch.chdir(tmp_path)
    Path("linked").symlink_to("found")
    with pytest.raises(CommandError, match="--csv and --json are one file, found: the second would replace") as refused:
        output_of("hard", "easy", "--csv=found", f"--json={other}")
    assert refused.value.returncode == 2
    assert not Path("found").exists()


def test_table_csv_and_json_agree(tmp_path: Path) -> None:
    files = tmp_path / "found.csv", tmp_path / "found.json"
    asked = ["random", "easy", "medium", "--deals=4", "--rounds-a-match=2", "--seed=sheep"]
    table = rows(output_of(*asked, f"--csv={files[0]}", f"--json={files[1]}"))
    told = json.loads(files[1].read_text())
    lines = list(csv.DictReader(files[0].read_text().splitlines()))
    assert len(table) == len(lines) == len(told["pairs"]) == 3
    under = {"seats": "4", "deals": "4", "rounds_a_match": "2", "options": '{"rounds": 2}', "seed": "sheep"}
    under |= {"think_ms": "150"}
    for row, line, pair in zip(table, lines, told["pairs"], strict=True):
        assert line == under | as_text(flat(pair))
        *figures, thinking = row
        *expected, expected_thinking = expected_row(pair)
        assert figures == expected
        # The table rounds the times themselves, the JSON keeps a digit more that was rounded before.
        assert numbers(thinking) == pytest.approx(numbers(expected_thinking), abs=0.0011)
    assert (told["seats"], told["deals"], told["seed"], told["options"]) == (4, 4, "sheep", {"rounds": 2})


def numbers(told: str) -> list[float]:
    return [float(each) for each in re.findall(r"\d+\.\d+", told)]


THINKING = ("first_thinking", "second_thinking")


def as_text(figures: dict[str, Any]) -> dict[str, str]:
    return {name: str(each) for name, each in figures.items()}


def expected_row(pair: dict[str, Any]) -> list[str]:
    return [
        f"{pair['first']} v {pair['second']}",
        f"{pair['pips']:+.2f} ± {pair['pips_within']:.2f}",
        f"{pair['share']:.1%} ({pair['share_from']:.1%} to {pair['share_to']:.1%}) of 4",
        f"{pair['first_points']:.1f}, {pair['second_points']:.1f}",
        "8",
        f"{pair['blocked']} ({pair['blocked'] / 8:.1%})",
        " / ".join(f"{pair[side]['median_ms']:.3f}, {pair[side]['p95_ms']:.3f}" for side in THINKING),
    ]


def test_other_rules_with_engines_that_hands_decide(tmp_path: Path) -> None:
    file = tmp_path / "found.json"
    output_of(
        "easy",
        "random",
        "--deals=3",
        "--seats=3",
        "--preset=pressman",
        '--options={"draw_rule": "until_playable"}',
        f"--json={file}",
    )
    told = json.loads(file.read_text())
    assert told["options"]["engine_selection"] == "highest_held"
    assert told["options"]["draw_rule"] == "until_playable"
    assert (told["rounds_a_match"], told["pairs"][0]["rounds"]) == (13, 6)


def test_a_single_deal_has_neither_interval_nor_match(tmp_path: Path) -> None:
    file = tmp_path / "found.csv"
    text = output_of("hard", "hard", "--deals=1", "--seats=2", "--think-ms=0", f"--csv={file}")
    assert text.startswith("2 seats, one duplicate deal, matches of 13 rounds, seed 'laboratory', any number of ms to")
    assert rows(text)[0][:3] == ["hard v hard", "+0.00", "no whole match"]
    (line,) = csv.DictReader(file.read_text().splitlines())
    assert (line["pips"], line["pips_within"], line["share"], line["matches"]) == ("0.0", "", "", "0")


def test_the_progress_is_shown_on_the_standard_error(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("simulate", "easy", "random", "--deals=2", "--workers=1", stdout=StringIO())
    told = capsys.readouterr()
    assert "2/2" in told.err
    assert told.out == ""


def test_a_level_without_a_choice_has_no_time() -> None:
    few = '--options={"set_max_pip": 6, "hand_sizes": {"2": 1}, "mexican_start": "never"}'
    (row,) = rows(output_of("easy", "random", "--deals=1", "--seats=2", "--seed=7", few))
    assert row[-1] == "no choice / no choice"
