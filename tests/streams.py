"""Server-sent events for tests: an open stream, read event by event."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from django.test import Client

from tests.cast import HANDLER, Caller, close_stream
from tests.contract import check_event


@dataclass(frozen=True)
class Heard:
    """One event as a client reads it; ``id`` is ``None`` where the event has none."""

    kind: str
    id: str | None
    data: dict[str, Any]


@dataclass
class Listening:
    """An open stream. ``parts`` yields the bytes as they are sent, and waits for more."""

    parts: Iterator[bytes]

    def part(self) -> str:
        return next(self.parts).decode()

    def event(self) -> Heard:
        """The next event; comments are passed over."""
        while (text := self.part()).startswith(":"):
            pass
        (event,) = events_in(text)
        return event

    def events(self, number: int) -> list[Heard]:
        """So many events, which may come in parts of several."""
        found: list[Heard] = []
        while len(found) < number:
            found += events_in(self.part())
        return found

    def rest(self) -> list[Heard]:
        """Everything until the stream ends."""
        return events_in(b"".join(self.parts).decode())


@contextmanager
def listening(table: dict[str, Any], caller: Caller, after: int | None = None, **headers: str) -> Iterator[Listening]:
    """A caller who watches a table, from the version after ``after`` on. The opening has been heard."""
    if after is not None:
        headers["Last-Event-ID"] = str(after)
    with opened(f"tables/{table['id']}/events", caller, **headers) as stream:
        yield stream


@contextmanager
def opened(path: str, caller: Caller, **headers: str) -> Iterator[Listening]:
    """Any stream, behind its opening."""
    client = Client()
    client.handler = HANDLER
    if caller.token:
        headers["Authorization"] = f"Bearer {caller.token}"
    response: Any = client.get(f"/api/v1/{path}", headers=headers)
    assert response.status_code == 200, response.content
    assert response.headers["Content-Type"] == "text/event-stream"
    parts = iter(response.streaming_content)
    try:
        assert next(parts) == b"retry: 1000\n\n"
        yield Listening(parts)
    finally:
        close_stream(response)


def events_in(text: str) -> list[Heard]:
    """The events of a text; comments and the time to come back are none."""
    blocks = [block for block in text.split("\n\n") if "event: " in block]
    return [event_in(dict(line.split(": ", 1) for line in block.split("\n"))) for block in blocks]


def event_in(fields: dict[str, str]) -> Heard:
    heard = Heard(fields["event"], fields.get("id"), json.loads(fields["data"]))
    is_mine = "your_turn" in heard.data
    check_event(f"my {heard.kind}" if is_mine else heard.kind, heard.data)
    return heard
