"""The Python client against a live server: the lines of its README, the examples of its docstrings, and its bot."""

import doctest
import re
import subprocess
import sys
import uuid
from collections.abc import Iterator
from typing import Any

import pytest

import mexican_train
from mexican_train import client, verbs
from tests.acceptance.record_examples import EVERYTHING
from tests.acceptance.server import ROOT, Server, until
from tests.acceptance.test_matches import MATCH_SECONDS, bots
from tests.receiver import Receiver

FOLDER = ROOT / "clients" / "python"
README = (FOLDER / "README.md").read_text()
WAITING, AWAITING, ALL, TOLD = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
QUICKLY = {"rounds": 1, "hand_sizes": {"2": 3}, "first_round_starter": "seat_0"}


def run(program: str, *arguments: str) -> str:
    """What a program of the client's prints, with no warning and nothing but the client to import."""
    environment = {"PYTHONPATH": str(FOLDER)}
    words = [sys.executable, "-W", "error", "-c", program, *arguments]
    done = subprocess.run(words, env=environment, capture_output=True, text=True, check=False, timeout=MATCH_SECONDS)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def at(server: Server, program: str) -> str:
    assert "http://127.0.0.1:8000" in program
    return program.replace("http://127.0.0.1:8000", server.url)


def test_the_readme_plays_a_match(server: Server) -> None:
    said = run(at(server, WAITING))
    refused, *sentences, last = said.splitlines()
    assert re.fullmatch(r"(tile_not_held|ends_do_not_match) - .+", refused)
    assert re.fullmatch(r"Winners:( Alice)?( \w+)?", last)
    assert {sentence.partition(" ")[0] for sentence in sentences} >= {"You"}


def test_the_readme_plays_a_match_with_await(server: Server) -> None:
    said = run(at(server, AWAITING))
    assert re.fullmatch(r"Rounds: \[\(\d+, \d+\)\]\n", said)


def test_the_readme_plays_all_tables_in_one_loop(server: Server) -> None:
    assert run(at(server, ALL)) == "Matches: 2\n"


def test_the_readme_verifies_a_message_of_a_webhook(
    server: Server, receiver: Receiver, capsys: pytest.CaptureFixture[str]
) -> None:
    with mexican_train.Client(server.url) as bob:
        bob.register_guest("Bob")
        webhook = bob.add_webhook(receiver.url, ["your_turn"])
        sent = bob.try_webhook(webhook)
        until(lambda: any(told.id == sent.id for told in receiver.told), "it is told", seconds=20)
        until(lambda: is_delivered(bob.webhook(webhook)), "the server knows that it was", seconds=20)
    (told,) = [told for told in receiver.told if told.id == sent.id]
    said: dict[str, Any] = {}
    exec(TOLD, said)
    assert said["answer"](told.headers, told.body, webhook.secret) == 204
    assert capsys.readouterr().out == f"{sent.id} test\n"
    assert said["answer"](told.headers, told.body + b" ", webhook.secret) == 400


def test_a_refusal_is_a_problem_whatever_media_type_was_requested(alice: mexican_train.Client) -> None:
    nowhere = str(uuid.uuid4())
    for ask in (alice.board_svg, alice.record, alice.record_text, alice.rule_sheet_text):
        with pytest.raises(mexican_train.NotFound):
            ask(nowhere)
    with pytest.raises(mexican_train.Invalid) as refused:
        alice.check_record('[MexicanTrain "1"]\nseats "Zoë"')
    (error,) = refused.value.errors
    assert (refused.value.code, error.line, error.column) == ("unreadable_record", 2, 1)


def test_texts_are_in_the_requested_language(server: Server) -> None:
    def titles(language: str | None) -> set[str]:
        with mexican_train.Client(server.url, language=language) as client:
            return {preset.title for preset in client.presets()}

    english = titles(None)
    assert titles("hu, en;q=0.5") != english != titles("nl")
    assert titles("tlh, en") == english


def is_delivered(webhook: mexican_train.Webhook) -> bool:
    return webhook.last_delivery is not None and webhook.last_delivery.outcome == "delivered"


@pytest.fixture(scope="module")
def alice(server: Server) -> Iterator[mexican_train.Client]:
    with mexican_train.Client(server.url) as alice:
        alice.register_guest("Alice")
        yield alice


@pytest.fixture(scope="module")
def finished(alice: mexican_train.Client) -> mexican_train.Table:
    table = started(alice)
    for position in alice.follow(table):
        if position.legal_moves:
            alice.play(table, position.legal_moves[0], position.next_number)
    return table


def started(alice: mexican_train.Client) -> mexican_train.Table:
    """A short match, in which it is her turn."""
    return alice.start(alice.open_table(seats=2, bots={1: "random"}, options=QUICKLY))


def close_tables(alice: mexican_train.Client) -> None:
    """End what the example before has opened: a player hosts only so many tables at a time."""
    for table in [*alice.my_tables("open"), *alice.my_tables("playing")]:
        alice.cancel(table)


def examples() -> list[doctest.DocTest]:
    """Every docstring of the client that has an example; methods have those of the verbs."""
    finder = doctest.DocTestFinder()
    found = [*finder.find(verbs), *finder.find(client.Client, "Client", module=client)]
    own = [test for test in found if test.examples]
    return list({test.docstring: test for test in own}.values())


@pytest.mark.parametrize("example", examples(), ids=lambda example: example.name.removeprefix("mexican_train."))
def test_the_example_of(
    example: doctest.DocTest,
    server: Server,
    receiver: Receiver,
    alice: mexican_train.Client,
    finished: mexican_train.Table,
) -> None:
    said: list[str] = []
    close_tables(alice)
    with mexican_train.Client(server.url) as bob:
        bob.register_guest("Bob")
        example.globs.update(Client=mexican_train.Client, server=server.url, new_username=uuid.uuid4().hex)
        example.globs.update(alice=alice, bob=bob, finished=finished, receiver=receiver.url)
        example.globs.update(earlier=EVERYTHING)
        example.globs.update(lobby=alice.open_table(seats=2), table=started(alice))
        doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(example, out=said.append)
    assert "".join(said) == ""


WITHOUT_EXAMPLE = {"close"}
"""What nobody calls by itself."""


def test_every_verb_has_an_example() -> None:
    told = {example.name.rpartition(".")[2] for example in examples()}
    assert {name for name in vars(client.Client) if name[0] != "_"} - told == WITHOUT_EXAMPLE


def test_the_bot_plays_a_match_to_its_end(server: Server, alice: mexican_train.Client) -> None:
    table = alice.open_table(
        seats=3, host_seat=None, bots={bot["seat"]: bot["level"] for bot in bots("easy", "hard")}, options={"rounds": 1}
    )
    assert table.invite
    bot = (FOLDER / "examples" / "bot.py").read_text()
    words = [sys.executable, "-W", "error", "-c", bot, server.url, table.invite.code]
    with subprocess.Popen(words, env={"PYTHONPATH": str(FOLDER)}, stdout=subprocess.PIPE, text=True) as program:
        try:
            until(lambda: alice.table(table).seats[2].player is not None, "it sits", seconds=20)
            alice.start(table)
            said, _ = program.communicate(timeout=MATCH_SECONDS)
        finally:
            program.kill()
    end = alice.position(table)
    *sentences, last = said.splitlines()
    assert last == " ".join(["finished winners:", *(str(end.seats[seat].name) for seat in end.winners or ())])
    assert {sentence.partition(" ")[0] for sentence in sentences} >= {"You"}
    assert {move.by for move in alice.moves(table) if move.seat == 2} == {"person"}
