"""``POST`` and ``DELETE tables/{id}/clock``: another clock for a running match, by consent."""

from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
import time_machine
from django.utils import timezone

from tables import play, schedule
from tables.lobby import consent
from tables.models import Event, Seat, Table
from tests.at_once import at_once
from tests.cast import Answer, Caller, guest, join, open_table, position, start
from tests.clocks import MINUTE, SECOND
from tests.matches import begin, bots, play_match, snapshot, step
from tests.rest.checks import check_refused, nothing_changes
from tests.tables.test_absent_players import here

CLOCK: dict[str, Any] = {"turn_seconds": 60, "on_timeout": "bot"}
OTHER = {"turn_seconds": 90, "on_timeout": "auto"}


@pytest.fixture
def three(alice: Caller, bob: Caller, cleo: Caller) -> dict[str, Any]:
    """A match of three without a clock; Alice is to move."""
    return begin(alice, bob, cleo)


def propose(table: dict[str, Any], caller: Caller, clock: dict[str, Any] = CLOCK) -> Answer:
    return caller.post(f"tables/{table['id']}/clock", clock)


def withdraw(table: dict[str, Any], caller: Caller) -> Answer:
    return caller.delete(f"tables/{table['id']}/clock")


def proposal(table: dict[str, Any], caller: Caller) -> Any:
    return caller.get(f"tables/{table['id']}").body["clock_proposal"]


def clock_of(shown: dict[str, Any]) -> dict[str, Any]:
    return {name: shown[name] for name in CLOCK}


def last_event() -> list[str]:
    changed: list[str] = Event.objects.order_by("-version")[0].data["changed"]
    return changed


def test_it_works(three: dict[str, Any], alice: Caller, bob: Caller, cleo: Caller) -> None:
    first = propose(three, bob)
    assert (first.status, first.body["turn_seconds"]) == (202, None)
    assert first.body["clock_proposal"] == {**CLOCK, "agreed": [1], "waiting_for": [0, 2]}
    assert last_event() == ["clock_proposal"]
    assert propose(three, cleo).body["clock_proposal"] == {**CLOCK, "agreed": [1, 2], "waiting_for": [0]}
    last = propose(three, alice)
    assert (last.status, last.body["clock_proposal"], clock_of(last.body)) == (200, None, CLOCK)
    assert set(last_event()) == {"turn_seconds", "on_timeout", "clock_proposal"}


def test_agreeing_twice_changes_nothing(three: dict[str, Any], bob: Caller) -> None:
    propose(three, bob)
    with nothing_changes():
        again = propose(three, bob)
    assert (again.status, again.body["clock_proposal"]["agreed"]) == (202, [1])


def test_a_person_alone_with_bots_sets_the_clock_at_once(alice: Caller) -> None:
    table = begin(alice, bots=bots(1))
    answer = propose(table, alice)
    assert (answer.status, clock_of(answer.body)) == (200, CLOCK)


def test_proposing_the_current_clock_is_200(alice: Caller, bob: Caller) -> None:
    table = begin(alice, bob, **CLOCK)
    with nothing_changes():
        assert propose(table, alice).status == 200


def test_a_clock_may_be_removed(alice: Caller, bob: Caller) -> None:
    table = begin(alice, bob, **CLOCK)
    none = {"turn_seconds": None, "on_timeout": "auto"}
    assert [propose(table, caller, none).status for caller in (alice, bob)] == [202, 200]
    before = snapshot(table).deadline
    assert before is not None
    while snapshot(table).turn == 0:
        step(table)
    assert snapshot(table).deadline is None


# Who is needed


def test_a_player_who_is_away_need_not_agree(three: dict[str, Any], alice: Caller, bob: Caller, cleo: Caller) -> None:
    propose(three, alice)
    cleo.delete(f"tables/{three['id']}/seats/2")
    assert proposal(three, bob)["waiting_for"] == [1]
    assert propose(three, bob).status == 200


def test_an_absent_player_need_not_agree(
    clock: time_machine.Traveller, three: dict[str, Any], alice: Caller, bob: Caller
) -> None:
    clock.shift(4 * MINUTE)
    here(bob)
    assert propose(three, alice).body["clock_proposal"]["waiting_for"] == [1]
    assert propose(three, bob).status == 200


def test_a_player_who_comes_back_in_time_has_to_agree(
    clock: time_machine.Traveller, three: dict[str, Any], alice: Caller, bob: Caller, cleo: Caller
) -> None:
    clock.shift(4 * MINUTE)
    here(bob)
    propose(three, alice)
    here(cleo)
    assert propose(three, bob).body["clock_proposal"]["waiting_for"] == [2]
    assert propose(three, cleo).status == 200


def test_if_the_others_are_gone_agreeing_again_sets_the_clock(
    clock: time_machine.Traveller, three: dict[str, Any], alice: Caller
) -> None:
    assert propose(three, alice).status == 202
    clock.shift(4 * MINUTE)
    assert propose(three, alice).status == 200


def test_a_forfeited_player_cannot_propose(three: dict[str, Any], alice: Caller, bob: Caller) -> None:
    Seat.objects.filter(number=1).update(stand_in="easy", stand_in_until="end")
    check_refused(lambda: propose(three, bob), 409, "seat_forfeited")
    assert propose(three, alice).body["clock_proposal"]["waiting_for"] == [2]


def test_a_player_who_is_away_cannot_propose(three: dict[str, Any], bob: Caller) -> None:
    bob.delete(f"tables/{three['id']}/seats/1")
    check_refused(lambda: propose(three, bob), 409, "seat_away")


# One proposal at a time


def test_a_second_proposal_is_refused(three: dict[str, Any], alice: Caller, bob: Caller) -> None:
    propose(three, alice)
    check_refused(lambda: propose(three, bob, OTHER), 409, "clock_proposed")


def test_the_current_clock_is_refused_while_another_is_proposed(
    three: dict[str, Any], alice: Caller, bob: Caller
) -> None:
    propose(three, alice)
    check_refused(lambda: propose(three, bob, {"turn_seconds": None, "on_timeout": "auto"}), 409, "clock_proposed")


def test_a_proposal_may_be_replaced_until_another_player_agrees(
    three: dict[str, Any], alice: Caller, bob: Caller
) -> None:
    propose(three, alice)
    assert propose(three, alice, OTHER).body["clock_proposal"] == {**OTHER, "agreed": [0], "waiting_for": [1, 2]}
    propose(three, bob, OTHER)
    check_refused(lambda: propose(three, alice), 409, "clock_proposed")


def test_a_proposal_lapses_after_ten_minutes(
    clock: time_machine.Traveller, three: dict[str, Any], alice: Caller, bob: Caller
) -> None:
    propose(three, alice)
    clock.shift(10 * MINUTE - SECOND)
    here(bob)
    assert proposal(three, bob) is not None
    clock.shift(SECOND)
    assert proposal(three, bob) is None
    version = Table.objects.get().version
    consent.lapse_proposals(timezone.now())
    assert (Table.objects.get().version, last_event()) == (version + 1, ["clock_proposal"])
    consent.lapse_proposals(timezone.now())
    assert Table.objects.get().version == version + 1


def test_only_tables_with_a_lapsed_proposal_are_selected(
    three: dict[str, Any], alice: Caller, django_assert_num_queries: Any
) -> None:
    propose(three, alice)
    with django_assert_num_queries(1):
        consent.lapse_proposals(timezone.now())


def test_a_proposal_withdrawn_meanwhile_does_not_lapse(three: dict[str, Any], alice: Caller) -> None:
    propose(three, alice)
    withdraw(three, alice)
    with nothing_changes():
        consent.lapse(UUID(three["id"]), timezone.now() + 11 * MINUTE)


def test_a_new_proposal_has_ten_minutes_of_its_own(
    clock: time_machine.Traveller, three: dict[str, Any], alice: Caller
) -> None:
    propose(three, alice)
    clock.shift(MINUTE)
    propose(three, alice, OTHER)
    assert Table.objects.get().clock_lapses_at == timezone.now() + 10 * MINUTE


def test_a_proposal_that_lapses_ends_no_proposal_of_another_table(
    three: dict[str, Any], alice: Caller, bob: Caller
) -> None:
    other = begin(alice, bob)
    propose(three, alice)
    play_match(three)
    propose(other, alice)
    consent.lapse(UUID(three["id"]), timezone.now() + 11 * MINUTE)
    assert proposal(other, bob) is not None


def test_agreeing_does_not_extend_a_proposal(
    clock: time_machine.Traveller, three: dict[str, Any], alice: Caller, bob: Caller
) -> None:
    propose(three, bob)
    lapses_at = Table.objects.get().clock_lapses_at
    clock.shift(MINUTE)
    propose(three, alice)
    assert Table.objects.get().clock_lapses_at == lapses_at


def test_a_player_who_agreed_may_withdraw_the_proposal(
    three: dict[str, Any], alice: Caller, bob: Caller, cleo: Caller
) -> None:
    propose(three, alice)
    propose(three, bob)
    check_refused(lambda: withdraw(three, cleo), 403, "not_your_proposal")
    assert withdraw(three, bob).status == 204
    assert proposal(three, alice) is None
    with nothing_changes():
        assert [withdraw(three, each).status for each in (bob, cleo)] == [204, 204]


def test_a_proposal_ends_with_the_match(three: dict[str, Any], alice: Caller, bob: Caller) -> None:
    propose(three, alice)
    play_match(three)
    assert proposal(three, alice) is None
    check_refused(lambda: propose(three, bob), 409, "table_finished")
    assert withdraw(three, alice).status == 204
    with time_machine.travel(timezone.now() + 11 * MINUTE):
        version = Table.objects.get().version
        consent.lapse_proposals(timezone.now())
        row = Table.objects.get()
    assert (row.version, row.clock_lapses_at) == (version, None)


# From the next turn on


def test_the_current_turn_keeps_its_deadline(alice: Caller, bob: Caller) -> None:
    table = begin(alice, bob)
    propose(table, alice)
    propose(table, bob)
    assert position(table, alice)["turn"]["deadline"] is None
    alice.delete(f"tables/{table['id']}/seats/0")
    alice.post(f"tables/{table['id']}/seats")
    assert position(table, alice)["turn"]["deadline"] is None
    while snapshot(table).turn == 0:
        assert snapshot(table).deadline is None
        step(table)
    now = snapshot(table)
    assert now.deadline is not None
    assert now.turn_on_timeout is None


def test_the_current_turn_keeps_its_on_timeout(alice: Caller, bob: Caller) -> None:
    """Its time is over under `auto`; from the next turn on it would be a forfeit."""
    table = begin(alice, bob, turn_seconds=60, on_timeout="auto")
    deadline = snapshot(table).deadline
    assert deadline is not None
    for caller in (alice, bob):
        propose(table, caller, {"turn_seconds": 5, "on_timeout": "forfeit"})
    assert snapshot(table).deadline == deadline
    with time_machine.travel(deadline + SECOND, tick=False):
        assert play.time_out(snapshot(table).id, 1, timezone.now())
    assert not Seat.objects.get(number=0).is_away
    now = snapshot(table)
    assert now.deadline is not None
    assert now.deadline - (deadline + SECOND) == timedelta(seconds=5)
    with time_machine.travel(now.deadline + SECOND, tick=False):
        assert play.time_out(now.id, now.next_number, timezone.now())
    assert Seat.objects.get(number=1).is_away


def test_after_two_changes_the_current_turn_keeps_its_on_timeout(alice: Caller) -> None:
    table = begin(alice, bots=bots(1), turn_seconds=60, on_timeout="auto")
    for on_timeout in ("forfeit", "bot"):
        assert propose(table, alice, {"turn_seconds": 5, "on_timeout": on_timeout}).status == 200
    assert snapshot(table).turns_on_timeout == "auto"


# Refused


@pytest.mark.parametrize(
    ("who", "status", "code"), [("cleo", 403, "not_seated"), ("spectator", 401, "not_authenticated")]
)
@pytest.mark.parametrize("call", [propose, withdraw])
def test_a_caller_without_a_seat_is_refused(
    playing: dict[str, Any], who: str, status: int, code: str, call: Any, request: pytest.FixtureRequest
) -> None:
    caller = request.getfixturevalue(who)
    check_refused(lambda: call(playing, caller), status, code)


def test_at_an_open_table_the_host_changes_the_clock(two_seats: dict[str, Any], alice: Caller) -> None:
    check_refused(lambda: propose(two_seats, alice), 409, "table_open")
    assert withdraw(two_seats, alice).status == 204


@pytest.mark.parametrize(
    ("body", "fields"),
    [
        ({}, {"turn_seconds", "on_timeout"}),
        ({"turn_seconds": 60}, {"on_timeout"}),
        ({"turn_seconds": 4, "on_timeout": "bot"}, {"turn_seconds"}),
        ({"turn_seconds": 60, "on_timeout": "none"}, {"on_timeout"}),
        ({**CLOCK, "stall_minutes": 3}, {"stall_minutes"}),
    ],
)
def test_an_invalid_clock_is_refused(
    playing: dict[str, Any], alice: Caller, body: dict[str, Any], fields: set[str]
) -> None:
    check_refused(lambda: propose(playing, alice, body), 400, "invalid", *fields)


# Two at once


@pytest.fixture
def two() -> tuple[dict[str, Any], Caller, Caller]:
    alice, bob = guest("Alice"), guest("Bob")
    table = open_table(alice, seats=2)
    join(table, bob)
    start(table, alice)
    return table, alice, bob


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(("second", "statuses"), [(CLOCK, [202, 200]), (OTHER, [202, 409])])
def test_two_proposals_at_once(two: Any, second: dict[str, Any], statuses: list[int]) -> None:
    table, alice, bob = two
    assert at_once(table, lambda: propose(table, alice).status, lambda: propose(table, bob, second).status) == statuses


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("is_first", [True, False])
def test_the_last_agreement_and_the_lapse_at_once(two: Any, *, is_first: bool) -> None:
    """Either the clock is set, or what had lapsed is proposed anew: never both."""
    table, alice, bob = two
    propose(table, alice)
    Table.objects.update(clock_lapses_at=timezone.now() - SECOND)
    calls: list[Any] = [lambda: propose(table, bob).status, lambda: consent.lapse_proposals(timezone.now())]
    results = at_once(table, *(calls if is_first else calls[::-1]))
    assert 202 in results
    row = Table.objects.get()
    assert (row.turn_seconds, row.clock_proposal and row.clock_proposal["agreed"]) == (None, [1])
    assert schedule.open_proposal(row, timezone.now()) is not None
