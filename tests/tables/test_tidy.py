"""The hourly tidying: one thing that cannot be tidied does not prevent the others."""

from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.utils import timezone

from players.accounts import forget
from players.models import Handover, Player, TokenUse
from rest.models import AnsweredRequest
from runtime import uptime
from runtime.models import Uptime
from tables import tasks
from tables.models import Seat, Status, Table
from tests.cast import Caller, join, open_table
from tests.matches import begin
from tests.test_faults import breaking
from webhooks import tasks as webhooks_tasks
from webhooks.models import Webhook

pytestmark = pytest.mark.django_db(transaction=True)
LONG_AGO = timedelta(days=400)


@pytest.fixture
def unreadable(alice: Caller, bob: Caller) -> dict[str, Any]:
    """Alice's time is over at a table that has an option which no release knows."""
    table = begin(alice, bob, turn_seconds=60)
    over = timezone.now() - timedelta(minutes=1)
    Table.objects.filter(pk=table["id"]).update(options={"nonsense": 1}, deadline=over)
    return table


def player_of(caller: Caller) -> Player:
    assert caller.player
    return caller.player


def left_undone(caller: Caller) -> None:
    """The player is forgotten, and a crash has left the seats."""
    Player.objects.filter(pk=player_of(caller).pk).update(is_active=False, deleted_at=timezone.now())


def sitting(table: dict[str, Any], number: int) -> Seat:
    return Seat.objects.get(table=table["id"], number=number)


def test_an_unreadable_table_does_not_prevent_the_tidying(
    unreadable: dict[str, Any], alice: Caller, bob: Caller, cleo: Caller, caplog: pytest.LogCaptureFixture
) -> None:
    idle, fine = open_table(cleo), begin(alice, bob)
    Table.objects.filter(pk=idle["id"]).update(changed_at=timezone.now() - LONG_AGO)
    left_undone(alice)
    tasks.tidy()
    assert f"Handing on what a player who is gone has left failed at {unreadable['id']}" in caplog.text
    assert sitting(unreadable, 0).stand_in == ""
    assert sitting(fine, 0).stand_in
    assert Table.objects.get(pk=idle["id"]).status == Status.CANCELLED


def test_expired_rows_are_deleted(alice: Caller, bob: Caller) -> None:
    bob.post("players/me/handover")
    alice.post("players/logout")
    for moment in (timezone.now() - LONG_AGO, timezone.now()):
        uptime.beat(moment)
    Uptime.objects.update(is_settled=True)
    tasks.tidy()
    assert (Uptime.objects.count(), Handover.objects.count(), TokenUse.objects.count()) == (1, 1, 2)
    TokenUse.objects.update(used_at=timezone.now() - LONG_AGO)
    Handover.objects.update(expires_at=timezone.now())
    tasks.tidy()
    assert (Handover.objects.count(), list(TokenUse.objects.values_list("player", flat=True))) == (
        0,
        [player_of(bob).pk],
    )


def test_every_minute_tables_are_handed_on_and_proposals_lapse(alice: Caller, bob: Caller) -> None:
    left, playing = open_table(alice, seats=2), begin(alice, bob)
    join(left, bob)
    alice.post(f"tables/{playing['id']}/clock", {"turn_seconds": 60, "on_timeout": "auto"})
    with time_machine.travel(timezone.now() + timedelta(minutes=16)):
        bob.get("players/me")
        tasks.hand_on()
    assert Table.objects.get(pk=left["id"]).host == bob.player
    assert Table.objects.get(pk=playing["id"]).clock_proposal is None


def test_a_table_that_fails_does_not_prevent_a_deletion_at_other_tables(
    unreadable: dict[str, Any], alice: Caller, bob: Caller, caplog: pytest.LogCaptureFixture
) -> None:
    fine = begin(alice, bob)
    forget(player_of(alice))
    assert sitting(fine, 0).stand_in
    assert str(unreadable["id"]) in caplog.text


def test_a_duty_that_fails_does_not_prevent_the_others(
    alice: Caller, cleo: Caller, caplog: pytest.LogCaptureFixture
) -> None:
    idle = open_table(cleo)
    Table.objects.filter(pk=idle["id"]).update(changed_at=timezone.now() - LONG_AGO)
    alice.post("tables", {}, Idempotency_Key="old")
    AnsweredRequest.objects.update(created_at=timezone.now() - LONG_AGO)
    with breaking("delete on rest_answeredrequest"):
        tasks.tidy()
    assert "Tidying failed at" in caplog.text
    assert Table.objects.get(pk=idle["id"]).status == Status.CANCELLED


def test_an_idle_table_that_fails_does_not_prevent_others_from_ending(
    alice: Caller, cleo: Caller, caplog: pytest.LogCaptureFixture
) -> None:
    broken, idle = open_table(alice, name="broken"), open_table(cleo)
    Table.objects.update(changed_at=timezone.now() - LONG_AGO)
    with breaking("update on tables_table", "old.name = 'broken'"):
        tasks.tidy()
    assert f"Ending an idle table failed at {broken['id']}" in caplog.text
    assert Table.objects.get(pk=idle["id"]).status == Status.CANCELLED
    assert Table.objects.get(pk=broken["id"]).status == Status.OPEN


def test_webhooks_that_cannot_be_deleted_do_not_prevent_other_deletions(
    alice: Caller, bob: Caller, caplog: pytest.LogCaptureFixture
) -> None:
    for caller, url in ((alice, "https://example.org/broken"), (bob, "https://example.org/")):
        Webhook.objects.create(player=player_of(caller), url=url, secret="", events=[])
        left_undone(caller)
    with breaking("delete on webhooks_webhook", "old.url like '%broken'"):
        webhooks_tasks.tidy()
    assert [each.player for each in Webhook.objects.all()] == [player_of(alice)]
    assert "webhooks failed at" in caplog.text


def test_a_player_is_deleted_even_if_the_seats_cannot_be_freed_yet(
    alice: Caller, bob: Caller, caplog: pytest.LogCaptureFixture
) -> None:
    table = begin(alice, bob)
    with breaking("update on tables_seat"):
        assert alice.delete("players/me").status == 204
    assert alice.get("players/me").status == 401
    assert sitting(table, 0).stand_in == ""
    tasks.tidy()
    assert sitting(table, 0).stand_in


def test_a_player_is_deleted_even_if_the_database_is_lost_meanwhile(alice: Caller, bob: Caller) -> None:
    table = begin(alice, bob)
    with breaking("update on tables_seat", does="perform pg_terminate_backend(pg_backend_pid()); return new;"):
        assert alice.delete("players/me").status == 204
    tasks.tidy()
    assert sitting(table, 0).stand_in
