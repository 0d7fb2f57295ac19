"""The cast: Alice hosts, Bob sits, Cleo does not sit, Otto is a bot. Each calls the API as a client would.

Tables are opened, filled and started by the services that the API calls: without HTTP that takes a third of the time.
"""

import json
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db import transaction
from django.test import Client
from django.test.client import ClientHandler
from rest_framework.renderers import JSONRenderer

from players.accounts import become_guest
from players.models import Player
from players.tokens import issue_token
from rest.bodies import validated
from tables.api.fields import OpenTableSerializer
from tables.lobby import opening, seating, starting
from tables.models import Table
from tables.presenters.tables import present_table
from tests.contract import check_documented

JSON = "application/json"
HANDLER = ClientHandler(enforce_csrf_checks=False)  # one for all: a client's own would look through all static files


@dataclass(frozen=True)
class Answer:
    """What came back: the status, the headers, and the body as JSON (``None`` if there was none)."""

    status: int
    body: Any
    headers: Any
    text: str


@dataclass(frozen=True)
class Caller:
    """Somebody with a token, or a spectator without one. Paths are relative to ``/api/v1/``."""

    token: str | None = None
    player: Player | None = None

    def ask(self, method: str, path: str, body: Any = None, **headers: str) -> Answer:
        client = Client(raise_request_exception=True)
        client.handler = HANDLER
        headers = {name.replace("_", "-"): value for name, value in headers.items()}
        if self.token:
            headers.setdefault("Authorization", f"Bearer {self.token}")
        content = {} if body is None else {"data": json.dumps(body), "content_type": JSON}
        response = client.generic(method, f"/api/v1/{path}", headers=headers, **content)  # type: ignore[arg-type]
        answer = read(response)
        check_documented(method, path, answer)
        return answer

    def get(self, path: str, **headers: str) -> Answer:
        return self.ask("GET", path, **headers)

    def post(self, path: str, body: Any = None, **headers: str) -> Answer:
        return self.ask("POST", path, body, **headers)

    def put(self, path: str, body: Any = None, **headers: str) -> Answer:
        return self.ask("PUT", path, body, **headers)

    def patch(self, path: str, body: Any = None, **headers: str) -> Answer:
        return self.ask("PATCH", path, body, **headers)

    def delete(self, path: str, **headers: str) -> Answer:
        return self.ask("DELETE", path, **headers)


def read(response: Any) -> Answer:
    text = (first_of(response) if response.streaming else response.content).decode()
    is_json = "json" in response.headers.get("Content-Type", "")
    return Answer(response.status_code, json.loads(text) if text and is_json else None, response.headers, text)


def first_of(response: Any) -> bytes:
    """What a stream begins with; it would go on for ever."""
    try:
        return next(iter(response.streaming_content), b"")
    finally:
        close_stream(response)


def close_stream(response: Any) -> None:
    """As the test client does it at a stream's end, without closing the test's connection to the database too."""
    response._iterator.close()


def guest(name: str) -> Caller:
    player = become_guest(name)
    return Caller(issue_token(player), player)


def open_table(host: Caller, **fields: Any) -> dict[str, Any]:
    """A table with these fields of the API, as the API shows it to its host."""
    assert host.player is not None
    given = validated(OpenTableSerializer, fields)
    bots = {bot["seat"]: bot["level"] for bot in given.pop("bots")}
    opened = opening.open_table(host.player, bots=bots, **given)
    return shown_to(host.player, opened.pk)


def shown_to(player: Player, table: UUID) -> dict[str, Any]:
    presented = present_table(Table.objects.with_seats().get(pk=table), player.pk)
    shown: dict[str, Any] = json.loads(JSONRenderer().render(presented))
    return shown


def join(table: dict[str, Any], *callers: Caller) -> None:
    for caller in callers:
        assert caller.player is not None
        seating.join(table["invite"]["code"], caller.player, None)


@transaction.atomic
def fill_seats(table: dict[str, Any], *callers: Caller) -> None:
    """Seat these players in the first free seats of an open table, as ``join`` does. Nothing is checked."""
    row = Table.objects.get(pk=table["id"])
    free = [seat for seat in row.seats.all() if seat.player_id is None]
    assert len(free) >= len(callers)
    for seat, caller in zip(free, callers, strict=False):
        assert caller.player is not None
        seating.fill(row, seat, caller.player)


def start(table: dict[str, Any], host: Caller) -> None:
    assert host.player is not None
    starting.start_match(UUID(table["id"]), host.player)


def position(table: dict[str, Any], caller: Caller) -> dict[str, Any]:
    answer = caller.get(f"tables/{table['id']}/position")
    assert answer.status == 200, answer.text
    shown: dict[str, Any] = answer.body
    return shown


def play(table: dict[str, Any], caller: Caller, move: str | None = None) -> Answer:
    """Make a move, the first legal one if none is named, at the place that is next."""
    now = position(table, caller)
    move = move or now["you"]["legal_moves"][0]["move"]
    return caller.post(f"tables/{table['id']}/moves", {"move": move, "number": now["next_number"]})
