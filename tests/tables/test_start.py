"""``POST tables/{id}/start``."""

from datetime import timedelta
from typing import Any

import pytest

from rules.shuffling import shuffled
from rules.tiles import double
from tables.models import By, Move, Round, Table
from tests.at_once import at_once
from tests.cast import Caller, guest, join, open_table, position, start
from tests.matches import begin, play_match
from tests.rest.checks import check_refused, nothing_changes
from tests.tables.nudges import nudges


def test_it_works(two_seats: dict[str, Any], alice: Caller, bob: Caller) -> None:
    answer = alice.post(f"tables/{two_seats['id']}/start")
    assert (answer.status, answer.body["status"]) == (200, "playing")
    assert [seat["tile_count"] for seat in answer.body["seats"]] == [15, 15]
    assert answer.body["version"] > two_seats["version"]
    now = position(two_seats, bob)
    assert (now["status"], now["turn"]["seat"], now["next_number"]) == ("playing", 0, 1)
    assert len(now["you"]["tiles"]) == 15


@pytest.mark.parametrize("finished", [False, True])
def test_starting_again_changes_nothing(alice: Caller, bob: Caller, finished: bool) -> None:
    table = begin(alice, bob)
    if finished:
        play_match(table)
    with nothing_changes():
        answer = alice.post(f"tables/{table['id']}/start")
    assert (answer.status, answer.body["status"]) == (200, "finished" if finished else "playing")


def test_a_person_who_begins_has_the_time_of_the_table(alice: Caller, bob: Caller) -> None:
    table = begin(alice, bob, turn_seconds=60)
    row = Table.objects.get()
    assert row.deadline is not None
    assert row.started_at is not None
    assert timedelta(seconds=59) < row.deadline - row.started_at < timedelta(seconds=61)
    assert position(table, bob)["turn"]["deadline"] is not None


def test_a_bot_that_begins_gets_a_task(alice: Caller, django_capture_on_commit_callbacks: Any) -> None:
    bots = [{"seat": 0, "level": "easy"}, {"seat": 1, "level": "easy"}]
    table = open_table(alice, seats=2, host_seat=None, bots=bots)
    with django_capture_on_commit_callbacks(execute=True):
        assert alice.post(f"tables/{table['id']}/start").status == 200
    assert nudges(table) == [1]
    assert Table.objects.get().due_at is not None


@pytest.mark.parametrize(
    ("who", "status", "code"),
    [("bob", 403, "not_host"), ("cleo", 403, "not_host"), ("spectator", 401, "not_authenticated")],
)
@pytest.mark.parametrize("stage", ["two_seats", "playing"])
def test_only_the_host_may_start(stage: str, who: str, status: int, code: str, request: pytest.FixtureRequest) -> None:
    table, caller = request.getfixturevalue(stage), request.getfixturevalue(who)
    check_refused(lambda: caller.post(f"tables/{table['id']}/start"), status, code)


def test_a_table_with_an_empty_seat_is_refused(alice: Caller, bob: Caller) -> None:
    table = open_table(alice, seats=3)
    join(table, bob)
    check_refused(lambda: alice.post(f"tables/{table['id']}/start"), 409, "seats_empty")


def test_a_cancelled_table_is_refused(two_seats: dict[str, Any], alice: Caller) -> None:
    alice.post(f"tables/{two_seats['id']}/cancel")
    check_refused(lambda: alice.post(f"tables/{two_seats['id']}/start"), 409, "table_cancelled")


@pytest.mark.django_db(transaction=True)
def test_two_starts_at_once_deal_once() -> None:
    alice, bob = guest("Alice"), guest("Bob")
    table = open_table(alice, seats=2)
    join(table, bob)
    answers = at_once(table, *[lambda: alice.post(f"tables/{table['id']}/start")] * 2)
    assert [answer.status for answer in answers] == [200, 200]
    assert answers[0].body == answers[1].body
    assert Round.objects.filter(dealt_at__isnull=False).count() == 1


@pytest.mark.django_db(transaction=True)
def test_somebody_leaves_while_the_match_starts() -> None:
    alice, bob = guest("Alice"), guest("Bob")
    table = open_table(alice, seats=2)
    join(table, bob)
    left, started = at_once(
        table,
        lambda: bob.delete(f"tables/{table['id']}/seats/1"),
        lambda: alice.post(f"tables/{table['id']}/start"),
    )
    assert (left.status, started.status, started.body["code"]) == (204, 409, "seats_empty")


def secret_that_leaves_seat_0_stuck(table: str) -> bytes:
    """A secret whose order gives the first nine tiles besides the engine no six."""
    for number in range(10_000):
        secret = number.to_bytes(32, "big")
        order = [each for each in shuffled(secret, table, 1, ["", "", ""], 6) if each is not double(6)]
        if not any(each.high == 6 for each in order[:9]):
            return secret
    raise AssertionError("there is no such secret")


def test_auto_pass_passes_for_the_first_seat_too(alice: Caller, bob: Caller, cleo: Caller) -> None:
    all_dealt = {"set_max_pip": 6, "hand_sizes": {"3": 9}, "rounds": 1}
    table = open_table(alice, seats=3, options=all_dealt, auto_pass=True)
    join(table, bob, cleo)
    Round.objects.filter(table=table["id"]).update(secret=secret_that_leaves_seat_0_stuck(table["id"]))
    start(table, alice)
    (passed,) = Move.objects.filter(table=table["id"])[:1]
    assert (passed.seat, passed.text, passed.by) == (0, "pass", By.HOST)
    assert position(table, alice)["trains"][0]["marker"]
