"""The README, CI and the scripts name the same platforms and Pythons."""

import re

from local import ROOT
from local.wheels import PLATFORMS, PYTHONS

README = (ROOT / "README.md").read_text()


def test_the_readme_names_the_platforms_with_wheels() -> None:
    rows = "\n".join(line for line in README.splitlines() if line.startswith("|"))
    for platform in PLATFORMS:
        assert platform in rows
    assert f"Python {', '.join(PYTHONS[:-1])} or {PYTHONS[-1]}" in README
    assert f"| {PYTHONS[0]} to {PYTHONS[-1]} |" in rows


def test_ci_tries_each_python() -> None:
    assert f"set -- {' '.join(PYTHONS)}\n" in (ROOT / ".ci" / "pythons").read_text()
    assert "\n.ci/pythons\n" in (ROOT / ".ci" / "run").read_text()


def test_the_script_that_makes_the_environment_agrees() -> None:
    script = (ROOT / "local" / "environment.sh").read_text()
    newest_first = " ".join(f"python{version}" for version in reversed(PYTHONS))
    assert f"${{PYTHON:-{newest_first} python3}}" in script
    first, last = (version.replace(".", ", ") for version in (PYTHONS[0], PYTHONS[-1]))
    assert f"({first}) <= sys.version_info[:2] <= ({last})" in script
    assert re.search(rf"a Python from {re.escape(PYTHONS[0])} to {re.escape(PYTHONS[-1])}", script)


def test_the_image_has_one_of_them() -> None:
    (version,) = re.findall(r"^FROM python:([\d.]+)-slim$", (ROOT / "Dockerfile").read_text(), re.MULTILINE)
    assert version in PYTHONS
