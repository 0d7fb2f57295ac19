"""A stream of events continues over lost connections, without a gap and without a repeated event."""

import json
from itertools import islice, pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mexican_train import (
    BadAnswer,
    Client,
    Missed,
    Moved,
    NotFound,
    Patience,
    RoundDealt,
    RoundEnded,
    SeatChanged,
    TableChanged,
    Unreachable,
    Warned,
)
from mexican_train.reading import one
from tests.clients.asking import QUICK, Ask, both
from tests.clients.scripted import LOST, refuse, reply, scripted, stream
from tests.examples import answer_of

TABLE = "0b9ad7ac-1f7f-4f5b-9b37-6b8d0a3d2c11"
POSITION = answer_of("position")
RESULT = answer_of("round")
QUICKLY = "retry: 1\n\n"
OVER = 'event: end\ndata: {"reason": "finished"}\n\n'
CUT = 'event: end\ndata: {"reason": "reconnect"}\n\n'
BOB = {"id": TABLE, "name": "Bob", "kind": "person"}
TOLD: dict[type, tuple[str, dict[str, Any]]] = {
    Moved: (
        "move",
        {"number": 38, "round": 2, "seat": 1, "move": "12-7>mexican", "type": "play", "tile": "12-7"}
        | {"train": "mexican", "by": "person", "at": "2026-11-30T12:00:00.123456Z", "turn": 2},
    ),
    RoundEnded: ("round", {"what": "ended", "round": 1, "result": RESULT}),
    RoundDealt: ("round", {"what": "dealt", "round": 3, "engine": "10-10", "starter": 2, "commitment": "0f"}),
    SeatChanged: ("seat", {"seat": 2, "player": BOB, "away": False, "forfeited": False}),
    TableChanged: (
        "table",
        {"changed": ["status", "winners"], "status": "finished", "host": TABLE, "winners": [0, 2]}
        | {"ended_reason": None},
    ),
}


WARNED = {"seat": 0, "deadline": "2026-11-30T12:01:00Z", "server_time": "2026-11-30T12:00:45Z"}


def event(version: int, kind: type = Moved, end: str = "\n", **more: Any) -> str:
    name, fields = TOLD[kind]
    data = json.dumps({"version": version, **fields, **more}, ensure_ascii=False)
    return end.join([f"id: {version}", f"event: {name}", f"data: {data}", "", ""])


def follow(client: Any) -> Any:
    return client.events(TABLE, since=40)


def versions(ask: Ask, url: str, **more: Any) -> list[int]:
    return [told.version for told in ask(url, follow, **more)]


@both
def test_every_kind_of_event_has_its_type(ask: Ask) -> None:
    events = [event(41 + at, kind) for at, kind in enumerate(TOLD)]
    with scripted(stream(QUICKLY, *events, OVER)) as server:
        told = ask(server.url, follow)
    assert [type(each) for each in told] == list(TOLD)
    assert (told[0].type, told[0].tile, told[0].train, told[0].turn) == ("play", "12-7", "mexican", 2)
    assert told[1].result.ended == RESULT["ended"]
    assert (told[3].player.name, told[4].winners) == ("Bob", (0, 2))
    assert (told[4].changed, told[4].next_table) == (("status", "winners"), None)


@both
def test_a_warning_has_no_version_and_does_not_change_the_last_id(ask: Ask) -> None:
    warning = f"event: warn\ndata: {json.dumps(WARNED)}\n\n"
    with scripted(stream(QUICKLY, event(41), warning, is_cut=True), stream(event(42), OVER)) as server:
        told = ask(server.url, follow)
    assert [type(each) for each in told] == [Moved, Warned, Moved]
    assert (told[1].seat, told[1].deadline.second, told[1].server_time.second) == (0, 0, 45)
    assert [asked.headers["last-event-id"] for asked in server.asked] == ["40", "41"]


def test_a_move_without_a_tile_has_neither_tile_nor_train() -> None:
    plain = {name: value for name, value in TOLD[Moved][1].items() if name not in {"tile", "train"}}
    moved = one(Moved)(plain | {"version": 1, "move": "call 2", "type": "call"})
    assert (moved.type, moved.tile, moved.train) == ("call", None, None)


@both
def test_a_cut_connection_is_made_again_from_the_last_event(ask: Ask) -> None:
    with scripted(stream(QUICKLY, event(41), is_cut=True), LOST, stream(event(42), OVER)) as server:
        assert versions(ask, server.url) == [41, 42]
    assert [asked.headers["last-event-id"] for asked in server.asked] == ["40", "41", "41"]
    assert {asked.path for asked in server.asked} == {f"/api/v1/tables/{TABLE}/events"}


@both
def test_an_incomplete_event_is_ignored(ask: Ask) -> None:
    half, rest = event(42)[:20], event(42)
    with scripted(stream(QUICKLY, event(41), half), stream(rest, OVER)) as server:
        assert versions(ask, server.url) == [41, 42]
    assert [asked.headers["last-event-id"] for asked in server.asked] == ["40", "41"]


@both
def test_a_repeated_event_is_ignored(ask: Ask) -> None:
    with scripted(stream(event(40), event(41), event(41), event(42), event(41), OVER)) as server:
        assert versions(ask, server.url) == [41, 42]


@both
@pytest.mark.parametrize("reason", ["finished", "cancelled", "hidden"])
def test_the_stream_ends_with_the_table(ask: Ask, reason: str) -> None:
    with scripted(stream(event(41), OVER.replace("finished", reason), event(42))) as server:
        assert versions(ask, server.url) == [41]
    assert len(server.asked) == 1


@both
def test_after_204_no_further_request_is_sent(ask: Ask) -> None:
    with scripted(stream(QUICKLY, event(41), is_cut=True), reply(204)) as server:
        assert versions(ask, server.url) == [41]
    assert len(server.asked) == 2


@both
def test_the_client_reconnects_after_reconnect(ask: Ask) -> None:
    with scripted(stream(QUICKLY, event(41), CUT), stream(OVER)) as server:
        assert versions(ask, server.url) == [41]
    assert server.asked[1].headers["last-event-id"] == "41"


@both
def test_events_that_are_not_stored_are_a_gap_with_a_new_position(ask: Ask) -> None:
    too_old = stream(QUICKLY, CUT.replace("reconnect", "too_old"))
    position = POSITION | {"version": 90}
    with scripted(too_old, reply(200, position), stream(event(90), event(91), OVER)) as server:
        missed, moved = ask(server.url, follow)
    assert isinstance(missed, Missed)
    assert (missed.position.version, moved.version) == (90, 91)
    assert server.asked[2].headers["last-event-id"] == "90"


@both
def test_without_a_version_the_stream_begins_now_and_without_a_gap(ask: Ask) -> None:
    position = POSITION | {"version": 7}
    with scripted(reply(200, position), stream(QUICKLY), stream(event(8), OVER)) as server:
        assert [told.version for told in ask(server.url, lambda client: client.events(TABLE))] == [8]
    assert [asked.headers.get("last-event-id") for asked in server.asked] == [None, "7", "7"]


@both
def test_comments_and_unknown_events_are_ignored(ask: Ask) -> None:
    unknown = 'id: 42\nevent: chat\ndata: {"version": 42}\n\n'
    with scripted(stream(": still here\n\n", event(41), ": still here\n\n", unknown, event(43), OVER)) as server:
        assert versions(ask, server.url) == [41, 43]


@both
def test_data_may_have_several_lines_and_any_line_ends(ask: Ask) -> None:
    long = event(41).replace(', "number"', ',\ndata: "number"')
    with scripted(stream(long, event(42, end="\r\n"), event(43, end="\r"), OVER)) as server:
        assert versions(ask, server.url) == [41, 42, 43]


@both
def test_a_server_that_refuses_for_a_while_is_asked_again(ask: Ask) -> None:
    down = refuse(503, "unavailable")
    with scripted(down, refuse(429, "too_many_requests", Retry_After="0"), stream(event(41), OVER)) as server:
        assert versions(ask, server.url) == [41]


@both
def test_a_permanent_refusal_is_raised(ask: Ask) -> None:
    with scripted(stream(QUICKLY, event(41)), refuse(404, "not_found")) as server, pytest.raises(NotFound):
        ask(server.url, follow)


@both
def test_the_client_gives_up_after_a_long_time_without_an_answer(ask: Ask) -> None:
    patience = Patience(timeout=1, total=60, first=0.001, most=0.01, away=0.1)
    with scripted(stream(QUICKLY)) as server, pytest.raises(Unreachable):
        ask(server.url, follow, patience)
    assert len(server.asked) > 2


@both
def test_an_impossible_address_is_an_error_at_once(ask: Ask) -> None:
    patience = Patience(total=60, first=30)
    with pytest.raises(Unreachable, match="ftp"):
        ask("ftp://127.0.0.1", follow, patience)


@both
@pytest.mark.parametrize("data", ["no JSON", "[]", '{"version": 41}'])
def test_unreadable_data_is_an_error(ask: Ask, data: str) -> None:
    with scripted(stream(f"event: move\ndata: {data}\n\n")) as server, pytest.raises(BadAnswer):
        ask(server.url, follow)


@both
def test_an_answer_that_is_not_a_stream_is_an_error(ask: Ask) -> None:
    with scripted(reply(200, {})) as server, pytest.raises(BadAnswer):
        ask(server.url, follow)


def test_leaving_the_loop_closes_the_connection() -> None:
    more: list[str | float] = [": still here\n\n" * 4096, 0.05]
    goes_on = stream(event(41), 0.05, *more * 4)
    with scripted(goes_on) as server, Client(server.url, patience=QUICK) as client:
        events = follow(client)
        assert [each.version for each in islice(events, 1)] == [41]
        events.close()
    assert (len(server.asked), server.lost > 0) == (1, True)


WHOLE = (QUICKLY + ": é\n\n" + "".join(event(41 + at, SeatChanged, name="Zoë 🚂") for at in range(3)) + OVER).encode()


@settings(deadline=None, max_examples=min(40, settings().max_examples))
@given(st.sets(st.integers(1, len(WHOLE) - 1), max_size=12), st.booleans())
def test_events_are_read_wherever_the_bytes_are_split(cuts: set[int], is_windows: bool) -> None:
    whole = WHOLE.replace(b"\n", b"\r\n") if is_windows else WHOLE
    ends = [0, *sorted(cuts), len(whole)]
    pieces = [whole[start:end] for start, end in pairwise(ends)]
    with scripted(stream(*pieces)) as server, Client(server.url, patience=QUICK) as client:
        told = list(follow(client))
    assert [(each.version, each.raw["name"]) for each in told] == [(at, "Zoë 🚂") for at in (41, 42, 43)]
