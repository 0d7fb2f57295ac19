"""Records an example of every operation from a running server into ``rest/examples.json``.

``python -m tests.acceptance.record_examples`` after a change of the API; a test says when one is missing or wrong.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.acceptance.server import ROOT, Client, running_server

EXAMPLES = ROOT / "rest" / "examples.json"
POSITION = "tables_position_retrieve"
MIDDLE_OF_A_ROUND = 12
ENTRIES_SHOWN = 3
RECEIVER = "localhost:8443"


class Recorder(Client):
    """A client that keeps the first successful call of each operation, under its id in the schema."""

    operations: dict[tuple[str, str], str]
    kept: dict[str, Any]

    def call(self, method: str, path: str, body: Any = None) -> Any:
        answer = super().call(method, path, body)
        operation = self.operations[method.lower(), template_of(path)]
        example: dict[str, Any] = {"status": answer.status_code}
        if body is not None:
            example["request"] = body
        if "json" in answer.headers.get("Content-Type", ""):
            example["answer"] = shortened(answer.json())
        if answer.ok:
            self.kept.setdefault(operation, example)
        return answer


def shortened(answer: Any) -> Any:
    """A long list is shown by its first entries; they are all alike."""
    return answer[:ENTRIES_SHOWN] if isinstance(answer, list) else answer


def template_of(path: str) -> str:
    """The schema's path for an actual one."""
    path = re.sub(r"^tables/[0-9a-f-]{36}", "tables/{table_id}", path.partition("?")[0])
    path = re.sub(r"^players/[0-9a-f-]{36}", "players/{player_id}", path)
    path = re.sub(r"^players/me/webhooks/[0-9a-f-]{36}", "players/me/webhooks/{webhook_id}", path)
    path = re.sub(r"^rules/presets/\w+", "rules/presets/{name}", path)
    path = re.sub(r"/diff/\w+", "/diff/{other}", path)
    return "/api/v1/" + re.sub(r"/(rounds|seats|positions)/\d+", r"/\1/{number}", path)


def operations_of(schema: dict[str, Any]) -> Iterator[tuple[tuple[str, str], str]]:
    for path, calls in schema["paths"].items():
        for method, operation in calls.items():
            yield (method, path), operation["operationId"]


def play_everything(alice: Recorder, bob: Recorder) -> None:
    """One of each call, in an order that a table allows."""
    alice.done("POST", "players/guest", {"name": "Alice"})
    bob.done("POST", "players/register", {"username": "bob", "password": "dominoes at noon", "name": "Bob"})
    bob.done("POST", "players/login", {"username": "bob", "password": "dominoes at noon"})
    me = alice.done("GET", "players/me")
    alice.done("PATCH", "players/me", {"name": "Alice"})
    alice.done("GET", "bots")
    alice.done("GET", "rules/presets")
    alice.done("GET", "rules/presets/pressman")
    alice.done("GET", "rules/presets/classic/diff/chain")
    alice.done("GET", "rules/options")
    alice.done("POST", "rules/check", {"preset": "tapper", "options": {"rounds": 7}, "seats": 5})
    webhook = register_a_webhook(alice)
    open_tables(alice, bob)
    table = play_a_match(alice, bob)
    look_back(alice, table)
    record_and_check(alice, bob)
    alice.done("GET", f"players/{me['id']}")
    alice.done("GET", "players/me/tables?limit=1")
    alice.done("GET", "tables?limit=1")
    alice.done("GET", "players/me/webhooks")
    alice.done("GET", f"players/me/webhooks/{webhook}")
    alice.call("DELETE", f"players/me/webhooks/{webhook}")
    bob.call("POST", "players/logout")
    alice.call("DELETE", "players/me")


def register_a_webhook(alice: Recorder) -> str:
    """Nobody listens there: the examples show what waits."""
    fields = {"url": f"https://{RECEIVER}/turns", "events": ["your_turn", "table_finished"]}
    webhook: str = alice.done("POST", "players/me/webhooks", fields)["id"]
    alice.done("POST", f"players/me/webhooks/{webhook}/test")
    alice.done("PATCH", f"players/me/webhooks/{webhook}", {"events": ["your_turn"]})
    return webhook


def open_tables(alice: Recorder, bob: Recorder) -> None:
    fields = {"name": "Kitchen", "visibility": "public", "bots": [{"seat": 3, "level": "easy"}]}
    table = alice.done("POST", "tables", fields)["id"]
    alice.done("PATCH", f"tables/{table}", {"turn_seconds": 120, "on_timeout": "bot"})
    bob.done("POST", f"tables/{table}/seats", {"seat": 1})
    bob.call("DELETE", f"tables/{table}/seats/1")
    alice.done("PUT", f"tables/{table}/seats/2/bot", {"level": "random"})
    alice.done("GET", f"tables/{table}")
    alice.done("GET", f"tables/{table}/rules")
    alice.done("POST", f"tables/{table}/cancel")


def play_a_match(alice: Recorder, bob: Recorder) -> str:
    opened = alice.done("POST", "tables", {"name": "Porch", "seats": 2, "options": {"rounds": 2}})
    table: str = opened["id"]
    bob.done("POST", "tables/join", {"invite": opened["invite"]["code"]})
    alice.done("PUT", f"tables/{table}/client-seed", {"seed": "my own words"})
    alice.done("POST", f"tables/{table}/start")
    while (shown := alice.done("GET", f"tables/{table}/position"))["status"] == "playing":
        mover = (alice, bob)[shown["turn"]["seat"]]
        mover.done("GET", f"tables/{table}/explain")
        mover.call("GET", f"tables/{table}/board.svg")
        mover.done("GET", f"tables/{table}/hint?level=hard")
        moves = mover.done("GET", f"tables/{table}/position")["you"]["legal_moves"]
        mover.done("POST", f"tables/{table}/moves", {"move": moves[0]["move"], "number": shown["next_number"]})
        if shown["next_number"] < MIDDLE_OF_A_ROUND:
            mover.kept.pop(POSITION, None)
    return table


def look_back(alice: Recorder, table: str) -> None:
    alice.done("GET", f"tables/{table}/moves?limit=3")
    alice.done("GET", f"tables/{table}/rounds")
    alice.done("GET", f"tables/{table}/rounds/1")
    alice.done("GET", f"tables/{table}/rounds/1/deal")
    alice.done("GET", f"tables/{table}/positions/20")
    alice.call("GET", f"tables/{table}/positions/20/board.svg")
    alice.done("POST", f"tables/{table}/rematch")


def record_and_check(alice: Recorder, bob: Recorder) -> None:
    """The record of a match that is short enough to be shown whole."""
    options = {"set_max_pip": 6, "hand_sizes": {"2": 2}, "rounds": 1}
    opened = alice.done("POST", "tables", {"name": "Porch", "seats": 2, "options": options})
    table = opened["id"]
    bob.done("POST", "tables/join", {"invite": opened["invite"]["code"]})
    alice.done("POST", f"tables/{table}/start")
    while (shown := alice.done("GET", f"tables/{table}/position"))["status"] == "playing":
        mover = (alice, bob)[shown["turn"]["seat"]]
        moves = mover.done("GET", f"tables/{table}/position")["you"]["legal_moves"]
        mover.done("POST", f"tables/{table}/moves", {"move": moves[0]["move"], "number": shown["next_number"]})
    alice.done("POST", "records/check", alice.done("GET", f"tables/{table}/record"))


def record(destination: Path) -> None:
    with running_server(WEBHOOK_TEST_RECEIVERS=RECEIVER) as server:
        alice, bob = Recorder(server, "Alice"), Recorder(server, "Bob")
        schema = alice.session.get(f"{server.url}/api/v1/schema", timeout=30).json()
        alice.operations = bob.operations = dict(operations_of(schema))
        alice.kept = bob.kept = {}
        play_everything(alice, bob)
        text = json.dumps(dict(sorted(alice.kept.items())), indent=1, ensure_ascii=False)
        text = text.replace(server.url, "https://play.example.org").replace(RECEIVER, "alice.example.net")
        destination.write_text(f"{text}\n")


if __name__ == "__main__":
    record(EXAMPLES)
