"""The turn of the README, run as it is printed."""

import re
import subprocess

from tests.acceptance.server import ROOT, Server

README = ROOT / "README.md"


def test_the_readme_is_short() -> None:
    assert len(README.read_text().splitlines()) <= 150


def test_a_played_turn_in_curl(server: Server) -> None:
    (script,) = re.findall(r"```sh\n(.*?)```", README.read_text(), re.DOTALL)
    environment = dict(server.environment) | {"SERVER": server.url}
    run = ["bash", "-euo", "pipefail", "-c", script]
    result = subprocess.run(run, env=environment, capture_output=True, text=True, check=True, timeout=60)
    assert '"next_number":2' in result.stdout
    assert result.stdout.splitlines()[-2:] == ["1", "304"]


def test_every_link_leads_somewhere() -> None:
    links = re.findall(r"\]\(([^)#]+)\)", README.read_text())
    assert links
    assert [link for link in links if not (ROOT / link).exists()] == []
