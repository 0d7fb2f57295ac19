"""``GET tables/{id}/events``: one event for each version, the same for everybody."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from players.accounts import forget
from tables import play
from tables.api import waiting
from tables.lobby import ending, opening
from tables.models import Event, Table
from tables.watching import TOWER
from tests.at_once import threads
from tests.cast import Caller, join, open_table
from tests.matches import SMALL, arrange, begin, bots, play_match, send, snapshot, step
from tests.rest.checks import check_problem, together
from tests.streams import Heard, listening
from tests.test_faults import killed_by_another, own_pid

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def table(alice: Caller, bob: Caller) -> dict[str, Any]:
    begun = begin(alice, bob)
    arrange(begun, "6-5 6-4 3-1", "5-5 5-2 4-3", boneyard="2-0 6-0 1-1")
    return begun


def version(table: dict[str, Any]) -> int:
    return Table.objects.get(pk=table["id"]).version


def heard(table: dict[str, Any], caller: Caller, after: int) -> list[Heard]:
    """Everything from there on to the present version."""
    with listening(table, caller, after) as stream:
        return stream.events(version(table) - after)


def test_a_move_sends_an_event(table: dict[str, Any], alice: Caller, spectator: Caller) -> None:
    before = version(table)
    send(table, alice, "6-5>mexican", 1)
    (event,) = heard(table, spectator, before)
    at = event.data.pop("at")
    assert at.endswith("Z")
    play = {"move": "6-5>mexican", "type": "play", "tile": "6-5", "train": "mexican", "place": "mexican"}
    told = {"number": 1, "round": 1, "seat": 0, **play, "by": "person", "turn": 1}
    assert event == Heard("move", str(before + 1), {"version": before + 1, **told})


def test_the_event_of_a_draw_does_not_contain_the_tile(table: dict[str, Any], alice: Caller, bob: Caller) -> None:
    arrange(table, "3-1 4-1 2-1", "5-2 4-3 4-4", boneyard="2-0 1-1")
    before = version(table)
    assert send(table, alice, "draw", 1).body["tile"] == "2-0"
    (event,) = heard(table, alice, before)
    assert (event.kind, event.data["move"]) == ("move", "draw")
    assert "2-0" not in str(event.data | {"at": None})  # in the first twelve days of December the time has it


def test_a_watcher_is_woken(table: dict[str, Any], alice: Caller, bob: Caller) -> None:
    with listening(table, bob) as stream, threads() as begin_in_thread:
        coming = begin_in_thread(stream.event)
        send(table, alice, "6-5>mexican", 1)
        assert coming.result(10).data["move"] == "6-5>mexican"


def test_without_a_last_event_the_stream_begins_with_the_next_change(
    table: dict[str, Any], alice: Caller, bob: Caller
) -> None:
    send(table, alice, "6-5>mexican", 1)
    with listening(table, bob) as stream:
        send(table, bob, "5-5>mexican", 2)
        assert stream.event().data["move"] == "5-5>mexican"


def test_a_whole_match_has_an_event_for_every_version(alice: Caller, bob: Caller) -> None:
    opened = open_table(alice, seats=3, options=SMALL, bots=bots(2))
    join(opened, bob)
    assert alice.post(f"tables/{opened['id']}/start").status == 200
    play_match(opened)
    with listening(opened, bob, after=0) as stream:
        found = stream.rest()
    assert [event.id for event in found] == [*map(str, range(1, version(opened) + 1)), None]
    assert [event.data["number"] for event in found if event.kind == "move"] == list(
        range(1, snapshot(opened).next_number)
    )
    rounds = [(event.data["what"], event.data["round"]) for event in found if event.kind == "round"]
    assert rounds == [("dealt", 1), ("ended", 1), ("dealt", 2), ("ended", 2)]
    assert [event.data["status"] for event in found if event.kind == "table"] == ["open", "playing", "finished"]
    assert found[1] == Heard(
        "seat", "2", {"version": 2, "seat": 1, "player": player_of(bob), "away": False, "forfeited": False}
    )
    assert found[-1] == Heard("end", None, {"reason": "finished"})


def player_of(caller: Caller) -> dict[str, Any]:
    assert caller.player is not None
    return {"id": str(caller.player.pk), "name": caller.player.name, "kind": "person"}


def test_the_events_of_a_round_repeat_the_answers_of_its_calls(alice: Caller) -> None:
    played = begin(alice, bots=bots(1))
    play_match(played)
    found = heard(played, alice, 1)
    dealt, ended, *_ = [event.data for event in found if event.kind == "round"]
    assert ended["result"] == alice.get(f"tables/{played['id']}/rounds/1").body
    deal = alice.get(f"tables/{played['id']}/rounds/1/deal").body
    assert {name: dealt[name] for name in ("engine", "starter", "commitment")} == {
        name: deal[name] for name in ("engine", "starter", "commitment")
    }


@pytest.mark.parametrize("gone", ["left", "timed out", "forgotten"])
def test_a_player_who_leaves_sends_an_event(gone: str, table: dict[str, Any], alice: Caller, bob: Caller) -> None:
    before = version(table)
    if gone == "left":
        assert bob.delete(f"tables/{table['id']}/seats/1").status == 204
    elif gone == "forgotten":
        assert bob.delete("players/me").status == 204
    else:
        time_out_thrice(table)
    event = [each for each in heard(table, alice, before) if each.kind == "seat"][-1]
    assert (event.data["seat"], event.data["away"]) == (1, True)


def time_out_thrice(table: dict[str, Any]) -> None:
    """Bob does not move three times; a bot plays for him."""
    Table.objects.filter(pk=table["id"]).update(on_timeout="bot", turn_seconds=5)
    for _ in range(3):
        while snapshot(table).turn == 0:
            step(table)
        now = snapshot(table)
        Table.objects.filter(pk=table["id"]).update(deadline=timezone.now() - timedelta(seconds=1))
        assert play.time_out(now.id, now.next_number, timezone.now())
        while snapshot(table).turn == 1:
            step(table)


def test_events_do_not_contain_the_name_of_a_deleted_player(alice: Caller, bob: Caller, cleo: Caller) -> None:
    opened = open_table(alice, seats=3)
    join(opened, bob)
    alice.post(f"tables/{opened['id']}/cancel")
    assert "Bob" in str(heard(opened, cleo, 1))  # of which nothing may be kept for those who ask later
    assert bob.player is not None
    forget(bob.player)
    told = str(heard(opened, cleo, 1))
    assert "Bob" not in told
    assert "Deleted player" in told


def test_an_event_names_the_fields_that_the_host_changed(alice: Caller) -> None:
    opened = open_table(alice, seats=2)
    alice.patch(f"tables/{opened['id']}", {"name": "Kitchen", "seats": 3})
    found = heard(opened, alice, 1)
    assert [event.kind for event in found] == ["table", "table"]
    assert {name for event in found for name in event.data["changed"]} == {"name", "seats"}


def test_a_rematch_sends_an_event_at_the_previous_table(alice: Caller) -> None:
    played = begin(alice, bots=bots(1))
    play_match(played)
    before = version(played)
    following = alice.post(f"tables/{played['id']}/rematch").body["id"]
    (event,) = heard(played, alice, before)
    assert (event.kind, event.data["next_table"]) == ("table", following)


def test_a_client_that_reconnects_gets_every_event_once(alice: Caller) -> None:
    played = begin(alice, bots=bots(1))
    play_match(played)
    whole = heard(played, alice, 1)
    for last in whole[:-1]:
        with listening(played, alice, after=int(last.id or 0)) as stream:
            assert stream.rest()[:-1] == whole[whole.index(last) + 1 :]


def test_many_events_are_sent_in_parts(table: dict[str, Any], alice: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(waiting, "AT_ONCE", 3)
    play_match(table)
    with listening(table, alice, after=1) as stream:
        assert [event.id for event in stream.rest()] == [*map(str, range(2, version(table) + 1)), None]


def test_a_cancelled_table_ends_the_stream(table: dict[str, Any], alice: Caller, bob: Caller) -> None:
    with listening(table, bob) as stream:
        alice.post(f"tables/{table['id']}/cancel")
        told, end = stream.rest()
    assert (told.kind, told.data["status"], told.data["ended_reason"]) == ("table", "cancelled", "cancelled_by_host")
    assert end == Heard("end", None, {"reason": "cancelled"})


@pytest.mark.parametrize("method", ["GET", "HEAD"])
@pytest.mark.parametrize("knows_the_last", [True, False])
def test_the_stream_of_a_table_that_is_over_is_204(
    method: str, knows_the_last: bool, table: dict[str, Any], alice: Caller
) -> None:
    """A browser's ``EventSource`` would come back each second to an ``end``; a 204 it takes for the last word."""
    alice.post(f"tables/{table['id']}/cancel")
    headers = {"Last-Event-ID": str(version(table))} if knows_the_last else {}
    answer = alice.ask(method, f"tables/{table['id']}/events", **headers)
    assert (answer.status, answer.text) == (204, "")
    assert TOWER.count == 0


def test_a_table_that_is_over_still_sends_its_last_events(table: dict[str, Any], alice: Caller) -> None:
    alice.post(f"tables/{table['id']}/cancel")
    with listening(table, alice, version(table) - 1) as stream:
        assert [event.kind for event in stream.rest()] == ["table", "end"]


def test_a_hidden_table_does_not_reveal_that_it_is_over(alice: Caller, cleo: Caller) -> None:
    hidden = open_table(alice, seats=2, spectators="none")
    alice.post(f"tables/{hidden['id']}/cancel")
    check_problem(cleo.get(f"tables/{hidden['id']}/events"), 404, "not_found")


def test_the_stream_ends_when_the_table_is_hidden_from_its_watcher(alice: Caller, bob: Caller) -> None:
    hidden = open_table(alice, seats=3, spectators="none")
    join(hidden, bob)
    with listening(hidden, bob) as stream:
        alice.delete(f"tables/{hidden['id']}/seats/1")
        assert stream.rest() == [Heard("end", None, {"reason": "hidden"})]


def test_the_stream_ends_when_its_token_is_revoked(
    table: dict[str, Any], bob: Caller, alice: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(waiting, "BEAT", 0.0)
    monkeypatch.setattr(waiting, "LOOKS_EVERY", 0.0)
    with listening(table, bob) as stream:
        bob.post("players/logout")
        assert stream.event() == Heard("end", None, {"reason": "hidden"})


def test_events_that_are_not_stored_end_the_stream_with_too_old(table: dict[str, Any], alice: Caller) -> None:
    Event.objects.filter(table=table["id"], version=3).delete()
    with listening(table, alice, after=2) as stream:
        assert stream.rest() == [Heard("end", None, {"reason": "too_old"})]


def test_a_quiet_stream_sends_a_sign_of_life(
    table: dict[str, Any], alice: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(waiting, "BEAT", 0.05)
    with listening(table, alice) as stream:
        assert [stream.part(), stream.part()] == [": still here\n\n"] * 2


def test_a_process_that_stops_ends_its_streams_with_reconnect(
    table: dict[str, Any], alice: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    with listening(table, alice) as stream:
        monkeypatch.setattr(TOWER, "is_closing", lambda: True)
        assert stream.event() == Heard("end", None, {"reason": "reconnect"})


def test_a_stream_ends_after_an_hour(table: dict[str, Any], alice: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(waiting, "LONGEST", 0.0)
    monkeypatch.setattr(waiting, "BEAT", 0.05)
    with listening(table, alice) as stream:
        assert stream.event() == Heard("end", None, {"reason": "reconnect"})


def test_a_busy_stream_ends_after_an_hour_too(
    table: dict[str, Any], alice: Caller, bob: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(waiting, "LONGEST", 0.0)
    with listening(table, alice) as stream:
        send(table, alice, "6-5>mexican", 1)
        assert stream.event().kind == "move"
        send(table, bob, "5-5>mexican", 2)
        assert stream.rest() == [Heard("end", None, {"reason": "reconnect"})]


def test_a_stream_ends_with_reconnect_if_the_database_fails(
    table: dict[str, Any], alice: Caller, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The stream ends when its events cannot be read, and a client that reconnects misses nothing."""
    monkeypatch.setattr(waiting, "LOOKS_EVERY", 0.0)

    def lost() -> list[Heard]:
        with listening(table, alice) as stream:
            killed_by_another(own_pid())
            return stream.rest()

    assert together(lost) == [[Heard("end", None, {"reason": "reconnect"})]]
    (record,) = [each for each in caplog.records if each.name == "tables.api.waiting"]
    assert record.exc_info is None


def test_events_without_names_are_read_once_for_all_watchers(
    table: dict[str, Any], alice: Caller, bob: Caller, django_assert_max_num_queries: Any
) -> None:
    before = version(table)
    send(table, alice, "6-5>mexican", 1)
    heard(table, alice, before)
    with django_assert_max_num_queries(3):  # who asks, twice, and the version that this test asks for
        heard(table, bob, before)


def test_every_watcher_gets_the_same_bytes(table: dict[str, Any], alice: Caller, bob: Caller, cleo: Caller) -> None:
    play_match(table)
    streams = []
    for caller in (alice, bob, cleo, Caller()):
        waiting.lasting.cache_clear()
        with listening(table, caller, after=1) as stream:
            streams.append(b"".join(stream.parts))
    assert len(set(streams)) == 1


def test_the_query_may_name_the_last_event_too(table: dict[str, Any], alice: Caller) -> None:
    send(table, alice, "6-5>mexican", 1)
    assert alice.get(f"tables/{table['id']}/events?last_event_id=1").status == 200


@pytest.mark.parametrize("last", ["x", "-1", "1.5", "9" * 30, "4"])
def test_an_unknown_last_event_is_refused(last: str, two_seats: dict[str, Any], alice: Caller) -> None:
    answer = alice.get(f"tables/{two_seats['id']}/events", Last_Event_ID=last)
    check_problem(answer, 400, "invalid")
    assert answer.body["errors"][0]["field"] == "Last-Event-ID"


def test_a_hidden_table_does_not_exist_for_others(alice: Caller, cleo: Caller) -> None:
    hidden = open_table(alice, seats=2, spectators="none")
    check_problem(cleo.get(f"tables/{hidden['id']}/events"), 404, "not_found")


def test_a_wrong_token_is_refused(table: dict[str, Any]) -> None:
    check_problem(Caller("wrong").get(f"tables/{table['id']}/events"), 401, "bad_token")


def test_other_media_types_are_not_acceptable(table: dict[str, Any], alice: Caller) -> None:
    answer = alice.get(f"tables/{table['id']}/events", Accept="application/json")
    check_problem(answer, 406, "not_acceptable")


def test_a_head_request_takes_no_place(table: dict[str, Any], alice: Caller) -> None:
    answer = alice.ask("HEAD", f"tables/{table['id']}/events")
    assert (answer.status, answer.text, answer.headers["Content-Type"]) == (200, "", "text/event-stream")
    assert TOWER.count == 0


def test_the_streams_of_one_caller_are_limited(
    table: dict[str, Any], alice: Caller, bob: Caller, settings: Any
) -> None:
    settings.WATCHERS_OF_ONE = 2
    with listening(table, alice), listening(table, alice), listening(table, bob):
        answer = alice.get(f"tables/{table['id']}/events")
        check_problem(answer, 429, "too_many_requests")
        assert answer.headers["Retry-After"] == "5"
    assert alice.get(f"tables/{table['id']}/events").status == 200


def test_the_streams_of_one_address_are_limited(
    table: dict[str, Any], alice: Caller, bob: Caller, settings: Any
) -> None:
    settings.WATCHERS_OF_ADDRESS = 1
    with listening(table, alice):
        check_problem(bob.get(f"tables/{table['id']}/events"), 503, "unavailable")
        assert bob.get(f"tables/{table['id']}/events", X_Forwarded_For="192.0.2.7").status == 503
    assert bob.get(f"tables/{table['id']}/events").status == 200


def test_the_watchers_of_a_process_are_limited(
    table: dict[str, Any], alice: Caller, bob: Caller, settings: Any
) -> None:
    settings.WATCHERS = 1
    with listening(table, alice):
        check_problem(bob.get(f"tables/{table['id']}/events"), 503, "unavailable")
    assert bob.get(f"tables/{table['id']}/events").status == 200


def admin_changes(table: dict[str, Any]) -> None:
    opening.change_as_admin(table["id"], {"name": "Club"})


def admin_cancels(table: dict[str, Any]) -> None:
    ending.cancel_as_admin(table["id"])


@pytest.mark.parametrize("act", [admin_changes, admin_cancels])
def test_a_change_by_an_admin_sends_an_event(
    act: Callable[[dict[str, Any]], None], table: dict[str, Any], alice: Caller
) -> None:
    before = version(table)
    act(table)
    assert [event.kind for event in heard(table, alice, before)] == ["table"]
