"""A move passes through the modules of ``tables`` in the order of ``docs/architecture.md``."""

import sys
from collections.abc import Iterator
from itertools import groupby
from types import FrameType
from typing import Any

import pytest

from local import ROOT
from rules.mexican_train.notation import move_text
from tables import memory
from tables.memory import Memory
from tables.snapshots import Snapshot
from tests.cast import Caller, play
from tests.documents import blocks_in
from tests.matches import begin, heaviest, snapshot

pytestmark = pytest.mark.django_db(transaction=True)

VIEWS = "tables.api."
VIEW = ("tables.api.playing", "MovesView.post")
TABLES = f"{ROOT / 'tables'}/"
ANSWER = ("tables.api.playing", "MovesView.move_answer")
"""The function that makes the answer: where the walk ends."""


class Walk:
    """Notes each function of a module in ``tables`` when it is entered."""

    def __init__(self) -> None:
        self.entered: list[tuple[str, str]] = []

    def note(self, frame: FrameType, event: str, _: Any) -> None:
        name, path = frame.f_code.co_qualname, frame.f_code.co_filename
        if event == "call" and path.startswith(TABLES):
            module = path.removeprefix(f"{ROOT}/").removesuffix(".py").replace("/", ".")
            self.entered.append((module, name))

    @property
    def stays(self) -> Iterator[str]:
        """Yield the modules from the view to the answer, each with the functions that are entered in a row.

        Methods of values count as part of the function that asks them.
        """
        first = self.entered.index(VIEW)
        last = self.entered.index(ANSWER, first)
        functions = [each for each in self.entered[first:last] if each[0].startswith(VIEWS) or "." not in each[1]]
        for module, group in groupby(functions, key=lambda each: each[0]):
            names = dict.fromkeys(name.rpartition(".")[2] for _, name in group if "<" not in name)
            yield f"{module}: {', '.join(names)}"


def test_a_move_calls_the_functions_that_the_document_lists(
    alice: Caller, bob: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(memory, "MEMORY", Memory[Snapshot](100))  # one that does not look whether it is right
    table = begin(alice, bob)
    assert play(table, (alice, bob)[snapshot(table).turn or 0]).status == 201
    now = snapshot(table)
    body, walk = {"move": move_text(heaviest(now)), "number": now.next_number}, Walk()
    sys.setprofile(walk.note)
    try:
        answer = (alice, bob)[now.turn or 0].post(f"tables/{table['id']}/moves", body)
    finally:
        sys.setprofile(None)
    assert answer.status == 201
    listed = blocks_in("docs/architecture.md", "text")[2]
    assert [" ".join(line.split()) for line in listed.splitlines()] == list(walk.stays)
