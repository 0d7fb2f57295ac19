"""``GET tables/{id}/position?wait=``: an answer held until something changes, with and without Redis."""

import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import pytest

from runtime import redis_commands
from tables import watching
from tables.watchers import Watcher
from tables.watching import TOWER
from tests.acceptance.server import Broker, until
from tests.at_once import threads
from tests.cast import Answer, Caller, join, open_table
from tests.matches import arrange, begin, send
from tests.rest.checks import check_problem
from tests.streams import listening

pytestmark = pytest.mark.django_db(transaction=True)
LONG = 20
"""Seconds that nothing here should take; whoever is woken comes back long before."""


@pytest.fixture
def table(alice: Caller, bob: Caller) -> dict[str, Any]:
    begun = begin(alice, bob)
    arrange(begun, "6-5 6-4 3-1", "5-5 5-2 4-3", boneyard="2-0 6-0 1-1")
    return begun


def look(table: dict[str, Any], caller: Caller, tag: str, seconds: int = LONG) -> Answer:
    return caller.get(f"tables/{table['id']}/position?wait={seconds}", If_None_Match=tag)


def tag_of(table: dict[str, Any], caller: Caller) -> str:
    return str(caller.get(f"tables/{table['id']}/position").headers["ETag"])


def woken_by(table: dict[str, Any], caller: Caller, act: Callable[[], object]) -> Answer:
    """The answer of a caller who waits while something is done."""
    tag, begun = tag_of(table, caller), monotonic()
    with threads() as begin_in_thread:
        waiting = begin_in_thread(lambda: look(table, caller, tag))
        await_watchers(1)
        act()
        answer = waiting.result(LONG)
    assert monotonic() - begun < LONG / 2
    return answer


def await_watchers(number: int) -> None:
    while TOWER.count < number:
        sleep(0.01)


def test_a_move_ends_the_wait(table: dict[str, Any], alice: Caller, bob: Caller) -> None:
    answer = woken_by(table, bob, lambda: send(table, alice, "6-5>mexican", 1))
    assert answer.status == 200
    assert answer.body["trains"][-1]["tiles"] == ["6-5"]
    assert answer.body["turn"]["seat"] == 1


def test_a_player_who_sits_down_ends_the_wait(alice: Caller, bob: Caller, spectator: Caller) -> None:
    opened = open_table(alice, seats=2)
    assert woken_by(opened, spectator, lambda: join(opened, bob)).body["version"] == 2


def test_after_the_time_an_unchanged_position_is_304(table: dict[str, Any], alice: Caller) -> None:
    tag, begun = tag_of(table, alice), monotonic()
    answer = look(table, alice, tag, seconds=1)
    assert (answer.status, answer.headers["ETag"]) == (304, tag)
    assert monotonic() - begun >= 1


def test_a_position_that_has_changed_is_answered_at_once(table: dict[str, Any], alice: Caller, bob: Caller) -> None:
    tag = tag_of(table, bob)
    send(table, alice, "6-5>mexican", 1)
    assert look(table, bob, tag).status == 200


def test_without_an_etag_the_answer_comes_at_once(table: dict[str, Any], alice: Caller) -> None:
    assert alice.get(f"tables/{table['id']}/position?wait={LONG}").status == 200


def test_changes_at_other_tables_do_not_end_the_wait(table: dict[str, Any], alice: Caller, bob: Caller) -> None:
    other, tag = begin(alice, bob), tag_of(table, bob)
    with threads() as begin_in_thread:
        waiting = begin_in_thread(lambda: look(table, bob, tag, seconds=2))
        await_watchers(1)
        alice.post(f"tables/{other['id']}/cancel")
        assert waiting.result(LONG).status == 304


def test_a_table_that_becomes_hidden_ends_the_wait_with_404(alice: Caller, bob: Caller) -> None:
    hidden = open_table(alice, seats=3, spectators="none")
    join(hidden, bob)
    check_problem(woken_by(hidden, bob, lambda: alice.delete(f"tables/{hidden['id']}/seats/1")), 404, "not_found")


@pytest.mark.parametrize("seconds", ["-1", "61", "x", "1.5"])
def test_a_wrong_number_of_seconds_is_refused(seconds: str, table: dict[str, Any], alice: Caller) -> None:
    answer = alice.get(f"tables/{table['id']}/position?wait={seconds}")
    check_problem(answer, 400, "invalid")
    assert answer.body["errors"][0]["field"] == "wait"


def test_if_too_many_wait_the_answer_comes_at_once(table: dict[str, Any], alice: Caller, settings: Any) -> None:
    settings.WATCHERS = 0
    tag, begun = tag_of(table, alice), monotonic()
    answer = look(table, alice, tag)
    assert (answer.status, answer.headers["Retry-After"]) == (304, "5")
    assert monotonic() - begun < LONG / 2


def test_a_process_that_stops_ends_the_wait(
    table: dict[str, Any], alice: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer = woken_by(table, alice, lambda: monkeypatch.setattr(TOWER, "is_closing", lambda: True))
    assert answer.status == 304


@contextmanager
def without_redis(settings: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """No server listens at Redis's address, and no messages are sent."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        with monkeypatch.context() as patched:
            patched.setattr(redis_commands.RetryTime, "asks_from", 0.0)
            patched.setattr(watching, "BREATH", 0.05)
            settings.REDIS_URL = f"redis://127.0.0.1:{taken.getsockname()[1]}/0"
            redis_commands.client.cache_clear()
            yield
    redis_commands.client.cache_clear()


def test_without_redis_the_version_is_polled(
    table: dict[str, Any], alice: Caller, bob: Caller, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    await_nobody_listens()
    with without_redis(settings, monkeypatch):
        answer = woken_by(table, bob, lambda: send(table, alice, "6-5>mexican", 1))
    assert answer.body["next_number"] == 2


def test_if_redis_hangs_the_version_is_polled(
    table: dict[str, Any], alice: Caller, bob: Caller, settings: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Its connections stay open, so there is no error. The look for lost messages would come too late here."""
    monkeypatch.setattr(watching, "LOOKS_EVERY", 10 * LONG)
    monkeypatch.setattr(watching, "BREATH", 0.2)
    await_nobody_listens()
    broker = Broker(tmp_path)
    broker.start()
    settings.REDIS_URL = broker.url
    redis_commands.client.cache_clear()

    looked_at = TOWER._looked_at

    def freeze_and_move() -> None:
        until(lambda: TOWER._looked_at > looked_at, "somebody listens", LONG)
        broker.process.send_signal(signal.SIGSTOP)
        send(table, alice, "6-5>mexican", 1)

    try:
        assert woken_by(table, bob, freeze_and_move).body["next_number"] == 2
        await_nobody_listens()
    finally:
        broker.kill()
        redis_commands.client.cache_clear()
        redis_commands.RetryTime.asks_from = 0


def test_without_redis_events_are_polled(
    table: dict[str, Any], alice: Caller, bob: Caller, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    await_nobody_listens()
    with without_redis(settings, monkeypatch), listening(table, bob) as stream, threads() as begin_in_thread:
        coming = begin_in_thread(stream.event)
        send(table, alice, "6-5>mexican", 1)
        assert coming.result(LONG).data["move"] == "6-5>mexican"


def await_nobody_listens() -> None:
    """The listener of an earlier test has noticed that it is not needed, so that the next one begins anew."""
    while TOWER.is_listening:
        sleep(0.05)


def test_a_lost_message_delays_the_answer_until_the_next_look(
    table: dict[str, Any], alice: Caller, bob: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watching, "LOOKS_EVERY", 0.1)
    monkeypatch.setattr(watching, "CHANNEL", "mexican-train:nobody-listens-here")
    await_nobody_listens()
    monkeypatch.setattr(redis_commands.RetryTime, "asks_from", monotonic() + LONG)  # so that no message is sent
    assert woken_by(table, bob, lambda: send(table, alice, "6-5>mexican", 1)).status == 200


def test_invalid_messages_are_ignored(table: dict[str, Any], alice: Caller, bob: Caller) -> None:
    def speak() -> None:
        for nonsense in ("", "x", "x 1", f"{table['id']} x", f"{table['id']} 1 2"):
            redis_commands.client().publish(watching.CHANNEL, nonsense)
        send(table, alice, "6-5>mexican", 1)

    assert woken_by(table, bob, speak).status == 200


def test_a_watcher_notified_before_it_waits_does_not_wait() -> None:
    watcher = Watcher("a caller")
    watcher.notify(7)
    assert watcher.wait_beyond(6, LONG)
    assert not watcher.wait_beyond(7, 0)
    watcher.notify(5)
    assert not watcher.wait_beyond(7, 0)
