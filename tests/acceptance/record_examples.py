"""Records examples of every operation from a running server into ``rest/examples.json``.

``python -m tests.acceptance.record_examples`` after a change of the API; a test says when one is missing or wrong.
"""

import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from secrets import token_urlsafe
from typing import Any

import requests

from tests.acceptance.server import ROOT, Client, running_server

EXAMPLES = ROOT / "rest" / "examples.json"
POSITION = "position"
MIDDLE_OF_A_ROUND = 12
ENTRIES_SHOWN = 3
RECEIVER = "localhost:8443"
JSON, TEXT, STREAM = "application/json", "text/plain", "text/event-stream"
DATA = "data: "
EVERYTHING = "AAAAAA"
"""The id of an event that somebody might have who knows nothing: each of their tables comes once."""


class Recorder(Client):
    """A client that keeps the first call of each operation, status, and kind of body and answer."""

    paths: dict[str, Any]
    kept: dict[str, list[dict[str, Any]]]

    def call(self, method: str, path: str, body: Any = None, **headers: str) -> requests.Response:
        """The answer, once the same call without a good token has been refused, for an example of that."""
        if not self.kept.get(self.operation(method, path)):
            self.keep(method, path, body, self.send(method, path, body, Authorization="Bearer mine"))
        answer = self.send(method, path, body, **headers)
        self.keep(method, path, body, answer)
        return answer

    def operation(self, method: str, path: str) -> str:
        name: str = self.paths[template_of(path, self.paths)][method.lower()]["operationId"]
        return name

    def send(self, method: str, path: str, body: Any, **headers: str) -> requests.Response:
        url = f"{self.server.url}/api/v1/{path}"
        if kind := kind_of(body):
            headers["Content-Type"] = kind
        text = body if kind == TEXT else json.dumps(body) if kind else None
        return self.session.request(method, url, data=text, headers=headers, stream=True, timeout=30)

    def keep(self, method: str, path: str, body: Any, answer: requests.Response) -> None:
        kept = self.kept.setdefault(self.operation(method, path), [])
        example = {"status": answer.status_code, "sent": kind_of(body), "request": body, **answer_content(answer)}
        if all(is_other(example, each) for each in kept):
            kept.append({name: value for name, value in example.items() if value is not None})

    def forget(self, operation: str, status: int = 200) -> None:
        """Let a later call be the example."""
        self.kept[operation] = [each for each in self.kept[operation] if each["status"] != status]


def is_other(example: dict[str, Any], kept: dict[str, Any]) -> bool:
    return any(example.get(name) != kept.get(name) for name in ("status", "sent", "kind"))


def kind_of(body: Any) -> str | None:
    """A text is sent unchanged, anything else as JSON."""
    return None if body is None else TEXT if isinstance(body, str) else JSON


def answer_content(answer: requests.Response) -> dict[str, Any]:
    """The content of the answer: JSON as values, anything else as text, and of a stream the data of its first event."""
    kind = answer.headers.get("Content-Type", "").partition(";")[0]
    if kind == STREAM:
        return {"kind": kind, "answer": first_event(answer)}
    if not answer.content:
        return {}
    return {"kind": kind, "answer": shortened(answer.json()) if kind.endswith("json") else answer.text}


def first_event(answer: requests.Response) -> dict[str, Any]:
    with answer:
        lines: Iterator[str] = answer.iter_lines(chunk_size=1, decode_unicode=True)
        told: dict[str, Any] = json.loads(next(line for line in lines if line.startswith(DATA)).removeprefix(DATA))
    return told


def shortened(answer: Any) -> Any:
    """Long lists are cut after their first entries, because all entries are alike; the lists of an export too."""
    if isinstance(answer, dict) and "exported_at" in answer:
        return {name: each if name == "player" else shortened(each) for name, each in answer.items()}
    return answer[:ENTRIES_SHOWN] if isinstance(answer, list) else answer


def template_of(path: str, paths: Iterable[str]) -> str:
    """The schema's path for an actual one: of those that fit, the one with the fewest gaps."""
    actual = "/api/v1/" + path.partition("?")[0]
    fitting = (each for each in paths if re.fullmatch(re.sub(r"{\w+}", "[^/]+", each), actual))
    return min(fitting, key=lambda each: each.count("{"))


def play_everything(alice: Recorder, bob: Recorder) -> None:
    """One of each call, in an order that a table allows."""
    alice.done("POST", "players/guest", {"name": "Alice"})
    account = {"username": "bob", "password": "dominoes at noon", "name": "Bob"}
    bob.done("POST", "players/register", account)
    bob.done("POST", "players/register", account)
    bob.done("POST", "players/login", {"username": "bob", "password": "dominoes at noon"})
    bob.call("POST", "players/login", {"username": "bob", "password": "dominoes"})
    me = alice.done("GET", "players/me")
    alice.done("PATCH", "players/me", {"name": "Alice"})
    passwords = {"current_password": "dominoes at noon", "password": "dominoes at night"}
    bob.done("PATCH", "players/me", passwords)
    bob.call("PATCH", "players/me", passwords)
    alice.done("GET", "bots")
    alice.done("GET", "rules/presets")
    alice.done("GET", "rules/presets/pressman")
    alice.done("GET", "rules/presets/classic/diff/chain")
    alice.done("GET", "rules/options")
    alice.done("POST", "rules/check", {"preset": "tapper", "options": {"rounds": 7}, "seats": 5})
    webhook = register_a_webhook(alice)
    use_another_device(alice)
    open_tables(alice, bob)
    table = play_a_match(alice, bob)
    look_back(alice, table)
    record_and_check(alice, bob)
    alice.done("GET", f"players/{me['id']}")
    alice.done("GET", "players/me/tables?limit=1")
    alice.done("GET", "tables?limit=1")
    alice.call("GET", "players/me/events", **{"Last-Event-ID": EVERYTHING})
    alice.done("GET", "players/me/webhooks")
    alice.done("GET", f"players/me/webhooks/{webhook}")
    alice.done("GET", "players/me/export")
    alice.call("DELETE", f"players/me/webhooks/{webhook}")
    bob.call("POST", "players/logout", {"everywhere": True})
    alice.call("DELETE", "players/me")


def register_a_webhook(alice: Recorder) -> str:
    """No server listens at this URL, so the examples contain a waiting message."""
    fields = {"url": f"https://{RECEIVER}/turns", "events": ["your_turn", "table_finished"]}
    webhook: str = alice.done("POST", "players/me/webhooks", fields)["id"]
    alice.done("POST", f"players/me/webhooks/{webhook}/test")
    alice.done("PATCH", f"players/me/webhooks/{webhook}", {"events": ["your_turn"]})
    return webhook


def use_another_device(alice: Recorder) -> None:
    """The first call with the code, which is for an example of a bad token, uses it up: it needs no token."""
    code = alice.done("POST", "players/me/handover")["code"]
    alice.call("POST", "players/handover", {"code": code})
    sessions = alice.done("GET", "players/me/sessions")
    (other,) = (each["id"] for each in sessions if not each["current"])
    alice.call("DELETE", f"players/me/sessions/{other}")


def open_tables(alice: Recorder, bob: Recorder) -> None:
    fields = {"name": "Kitchen", "visibility": "public", "bots": [{"seat": 3, "level": "easy"}]}
    table = alice.done("POST", "tables", fields)["id"]
    alice.done("PATCH", f"tables/{table}", {"turn_seconds": 120, "on_timeout": "bot"})
    bob.done("POST", f"tables/{table}/seats", {"seat": 1})
    bob.done("POST", f"tables/{table}/seats", {"seat": 1})
    bob.call("POST", f"tables/{table}/start")
    alice.call("POST", f"tables/{table}/start")
    alice.call("PATCH", f"tables/{table}", {"turn_seconds": 1})
    bob.call("DELETE", f"tables/{table}/seats/1")
    alice.done("POST", f"tables/{table}/invite")
    alice.done("PUT", f"tables/{table}/seats/2/bot", {"level": "random"})
    alice.done("GET", f"tables/{table}")
    alice.done("GET", f"tables/{table}/rules")
    alice.call("GET", f"tables/{table}/rules", Accept=TEXT)
    alice.done("POST", f"tables/{table}/cancel")


def play_a_match(alice: Recorder, bob: Recorder) -> str:
    opened = alice.done("POST", "tables", {"name": "Porch", "seats": 2, "options": {"rounds": 2}})
    table: str = opened["id"]
    bob.done("GET", f"invites/{opened['invite']['code']}")
    bob.done("POST", "tables/join", {"invite": opened["invite"]["url"]})
    alice.done("PUT", f"tables/{table}/client-seed", {"seed": "my own words"})
    alice.done("POST", f"tables/{table}/start")
    agree_on_a_clock(alice, bob, table)
    while (shown := alice.done("GET", f"tables/{table}/position?said=true"))["status"] == "playing":
        mover = (alice, bob)[shown["turn"]["seat"]]
        mover.done("GET", f"tables/{table}/explain")
        mover.done("GET", f"tables/{table}/hint?level=hard")
        moves = mover.done("GET", f"tables/{table}/position")["you"]["legal_moves"]
        move = {"move": moves[0]["move"], "number": shown["next_number"]}
        mover.call("POST", f"tables/{table}/moves", move | {"move": "pass"})
        mover.call("POST", f"tables/{table}/moves", move | {"number": 999})
        mover.done("POST", f"tables/{table}/moves", move)
        mover.done("POST", f"tables/{table}/moves", move)
        if shown["next_number"] < MIDDLE_OF_A_ROUND:
            mover.forget(POSITION)
    return table


def agree_on_a_clock(alice: Recorder, bob: Recorder, table: str) -> None:
    clock = {"turn_seconds": 300, "on_timeout": "bot"}
    bob.done("POST", f"tables/{table}/clock", clock)
    alice.call("DELETE", f"tables/{table}/clock")
    bob.call("DELETE", f"tables/{table}/clock")
    for each in (bob, alice):
        each.done("POST", f"tables/{table}/clock", clock)


def look_back(alice: Recorder, table: str) -> None:
    alice.done("GET", f"tables/{table}/moves?limit=3&said=true")
    alice.done("GET", f"tables/{table}/rounds")
    alice.done("GET", f"tables/{table}/rounds/1")
    alice.done("GET", f"tables/{table}/rounds/1/deal")
    alice.done("GET", f"tables/{table}/positions/20")
    alice.done("POST", f"tables/{table}/rematch")
    alice.done("POST", f"tables/{table}/rematch")
    alice.call("GET", f"tables/{table}/explain")


def by_status(example: dict[str, Any]) -> int:
    status: int = example["status"]
    return status


def record_and_check(alice: Recorder, bob: Recorder) -> None:
    """The record of a match that is short enough to be shown whole, and pictures of it."""
    options = {"set_max_pip": 6, "hand_sizes": {"2": 2}, "rounds": 1}
    opened = alice.done("POST", "tables", {"name": "Porch", "seats": 2, "options": options})
    table = opened["id"]
    bob.done("POST", "tables/join", {"invite": opened["invite"]["code"]})
    alice.done("POST", f"tables/{table}/start")
    while (shown := alice.done("GET", f"tables/{table}/position"))["status"] == "playing":
        mover = (alice, bob)[shown["turn"]["seat"]]
        mover.call("GET", f"tables/{table}/board.svg")
        moves = mover.done("GET", f"tables/{table}/position")["you"]["legal_moves"]
        mover.done("POST", f"tables/{table}/moves", {"move": moves[0]["move"], "number": shown["next_number"]})
    alice.call("GET", f"tables/{table}/positions/1/board.svg")
    alice.done("POST", "records/check", alice.done("GET", f"tables/{table}/record"))
    text = alice.call("GET", f"tables/{table}/record", Accept=TEXT).text
    for page in (POSITION, "moves"):
        alice.call("GET", f"tables/{table}/{page}", Accept=TEXT)
    alice.call("POST", "records/check", text)
    alice.call("POST", "records/check", "It was a pleasant afternoon.")
    alice.call("GET", f"tables/{table}/events", **{"Last-Event-ID": "3"})


def record(destination: Path) -> None:
    with running_server(WEBHOOK_TEST_RECEIVERS=RECEIVER, SECRET_KEY=token_urlsafe(50)) as server:
        alice, bob = Recorder(server, "Alice"), Recorder(server, "Bob")
        schema = alice.session.get(f"{server.url}/api/v1/schema", timeout=30).json()
        alice.paths = bob.paths = schema["paths"]
        alice.kept = bob.kept = {}
        play_everything(alice, bob)
        kept = {name: sorted(each, key=by_status) for name, each in sorted(alice.kept.items())}
        text = json.dumps(kept, indent=1, ensure_ascii=False)
        text = text.replace(server.url, "https://play.example.org").replace(RECEIVER, "alice.example.net")
        destination.write_text(f"{text}\n")


if __name__ == "__main__":
    record(EXAMPLES)
