"""Presence: a person is absent once their tokens have sent no request and held no stream for three minutes."""

from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import pytest
import time_machine
from django.db import connection, connections
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from knox.models import AuthToken

from players import accounts, presence
from players.models import Player, TokenUse
from players.tokens import issue_token
from runtime import uptime
from tables.outages import watch_once
from tests.at_once import threads
from tests.cast import Caller, guest
from tests.clocks import MINUTE, SECOND


def id_of(caller: Caller) -> UUID:
    assert caller.player is not None
    return caller.player.id


def is_absent(caller: Caller) -> bool:
    return presence.is_absent(id_of(caller), timezone.now())


def writes(call: Any) -> list[str]:
    with CaptureQueriesContext(connection) as asked:
        call()
    return [query["sql"] for query in asked if "into players_tokenuse" in query["sql"]]


def test_a_person_is_absent_after_three_minutes_without_a_request(clock: time_machine.Traveller, db: None) -> None:
    alice = guest("Alice")
    clock.shift(3 * MINUTE)
    assert not is_absent(alice)
    clock.shift(SECOND)
    assert is_absent(alice)
    alice.get("players/me")
    assert not is_absent(alice)


@pytest.mark.parametrize("path", ["players/me", "tables/{id}", "tables/{id}/position", "tables/{id}/events"])
def test_any_request_is_a_sign_of_presence(
    clock: time_machine.Traveller, playing: dict[str, Any], bob: Caller, path: str
) -> None:
    clock.shift(5 * MINUTE)
    assert is_absent(bob)
    assert bob.get(path.format(id=playing["id"])).status == 200
    assert not is_absent(bob)


@pytest.mark.parametrize("path", ["tables/{id}/start", "tables/{id}/moves", "tables/{id}/seats"])
def test_a_refused_request_counts_as_presence(
    clock: time_machine.Traveller, playing: dict[str, Any], cleo: Caller, path: str
) -> None:
    clock.shift(5 * MINUTE)
    assert cleo.post(path.format(id=playing["id"])).status >= 400
    assert not is_absent(cleo)


def test_a_token_is_written_once_a_minute(clock: time_machine.Traveller, alice: Caller) -> None:
    clock.shift(MINUTE)
    assert len(writes(lambda: alice.get("players/me"))) == 1
    clock.shift(59 * SECOND)
    assert not writes(lambda: alice.get("players/me"))
    clock.shift(SECOND)
    assert len(writes(lambda: alice.get("players/me"))) == 1


def test_the_last_use_within_a_minute_is_written_with_any_later_request(
    clock: time_machine.Traveller, alice: Caller, bob: Caller
) -> None:
    clock.shift(50 * SECOND)
    alice.get("players/me")
    clock.shift(100 * SECOND)
    assert len(writes(lambda: bob.get("players/me"))) == 1
    clock.shift(80 * SECOND)
    assert not is_absent(alice)
    clock.shift(SECOND)
    assert is_absent(alice)


def test_a_process_without_requests_writes_its_last_uses_itself(clock: time_machine.Traveller, alice: Caller) -> None:
    """Alice calls in a process that gets no further requests; the question about her presence comes in another."""
    clock.shift(50 * SECOND)
    alice.get("players/me")
    clock.shift(9 * SECOND)
    assert not writes(presence.write_left)
    clock.shift(SECOND)
    assert len(writes(presence.write_left)) == 1
    assert not writes(presence.write_left)
    clock.shift(170 * SECOND)
    assert not is_absent(alice)
    clock.shift(SECOND)
    assert is_absent(alice)


def test_a_web_process_writes_the_remaining_uses_with_each_beat(clock: time_machine.Traveller, alice: Caller) -> None:
    clock.shift(50 * SECOND)
    alice.get("players/me")
    clock.shift(MINUTE)
    assert len(writes(watch_once)) == 1, "a beat writes it"


def test_a_use_written_with_another_request_does_not_delay_the_next_use(
    clock: time_machine.Traveller, alice: Caller, bob: Caller
) -> None:
    clock.shift(SECOND)
    alice.get("players/me")
    clock.shift(5 * MINUTE)
    bob.get("players/me")
    alice.get("players/me")
    assert not is_absent(alice)


def test_a_new_token_counts_as_used(clock: time_machine.Traveller, alice: Caller) -> None:
    clock.shift(5 * MINUTE)
    issue_token(Player.objects.get())
    assert not is_absent(alice)


def test_a_player_is_present_by_any_of_their_tokens(clock: time_machine.Traveller, alice: Caller, dora: Caller) -> None:
    clock.shift(5 * MINUTE)
    dora.get("players/me")
    assert not is_absent(alice)
    used = presence.last_used(id_of(alice))
    digests = {token.digest: token.created for token in AuthToken.objects.all()}
    assert {digest: at - digests[digest] > MINUTE for digest, at in used.items()} == {
        digest: digest == max(used, key=used.__getitem__) for digest in digests
    }


def test_an_outage_does_not_count(clock: time_machine.Traveller, alice: Caller) -> None:
    """For an hour no player could send a request."""
    began = timezone.now()
    uptime.beat(began)
    uptime.beat(began + 2 * SECOND)
    clock.shift(60 * MINUTE)
    uptime.beat(timezone.now())
    for _ in range(178):
        assert not is_absent(alice)
        clock.shift(SECOND)
        uptime.beat(timezone.now())
    assert not is_absent(alice)
    clock.shift(SECOND)
    uptime.beat(timezone.now())
    assert is_absent(alice)


def test_a_late_write_does_not_overwrite_a_newer_use(clock: time_machine.Traveller, alice: Caller) -> None:
    (digest,) = presence.last_used(id_of(alice))
    now = timezone.now()
    for at in (now + 2 * SECOND, now + SECOND):
        presence.write({digest: at})
    assert presence.last_used(id_of(alice)) == {digest: now + 2 * SECOND}


def test_a_use_of_a_token_that_has_ended_meanwhile_is_not_written(db: None) -> None:
    presence.write({"the digest of no token": timezone.now()})
    assert not TokenUse.objects.exists()


def test_bots_are_never_absent(db: None) -> None:
    assert not presence.is_absent(accounts.bots_of("easy")[0].id, timezone.now())


def test_one_query_finds_many_absent_players(
    clock: time_machine.Traveller, alice: Caller, bob: Caller, django_assert_num_queries: Any
) -> None:
    clock.shift(5 * MINUTE)
    bob.get("players/me")
    with django_assert_num_queries(2):  # one for the outages
        assert presence.absent([id_of(alice), id_of(bob)], timezone.now()) == {id_of(alice)}
    with django_assert_num_queries(0):
        assert presence.absent([], timezone.now()) == set()


# The ends of tokens and players


def test_a_player_is_absent_three_minutes_after_the_log_out(clock: time_machine.Traveller, alice: Caller) -> None:
    alice.post("players/logout")
    assert not is_absent(alice)
    clock.shift(3 * MINUTE + SECOND)
    assert is_absent(alice)


def test_a_token_that_has_ended_is_forgotten_a_day_later(
    clock: time_machine.Traveller, alice: Caller, bob: Caller
) -> None:
    alice.post("players/logout")
    clock.shift(timedelta(days=1))
    presence.forget_old_uses(timezone.now())
    assert TokenUse.objects.count() == 2
    clock.shift(SECOND)
    presence.forget_old_uses(timezone.now())
    assert [use.player_id for use in TokenUse.objects.all()] == [id_of(bob)]


def test_a_deleted_player_is_absent_and_no_use_is_kept(alice: Caller) -> None:
    alice.delete("players/me")
    assert is_absent(alice)
    assert not TokenUse.objects.exists()


def test_an_inactive_player_is_absent(alice: Caller) -> None:
    accounts.make_inactive(Player.objects.get())
    assert is_absent(alice)


def test_visits_to_the_admin_do_not_count_as_presence(clock: time_machine.Traveller, db: None, client: Any) -> None:
    keeper = Player.objects.create_superuser("keeper", "tiles-and-trains")
    client.force_login(keeper)
    assert client.get("/admin/").status_code == 200
    assert presence.is_absent(keeper.id, timezone.now())


# Nothing fails a request


@pytest.mark.django_db(transaction=True)
def test_a_use_that_cannot_be_written_fails_no_request_and_is_written_later(caplog: pytest.LogCaptureFixture) -> None:
    """A database that only reads takes no use."""
    alice = guest("Alice")
    with time_machine.travel(timezone.now() + 5 * MINUTE, tick=False) as clock:
        with connection.cursor() as cursor:
            cursor.execute("set default_transaction_read_only = on")
        try:
            assert alice.get("players/me").status == 200
        finally:
            connection.close()
        assert "When tokens were used is written later" in caplog.text
        assert is_absent(alice)
        clock.shift(MINUTE)
        presence.write_left()
        assert not is_absent(alice)


@pytest.mark.django_db(transaction=True)
def test_a_log_out_and_a_use_at_the_same_moment_both_succeed() -> None:
    alices = [guest(f"Alice {number}") for number in range(4)]

    def use(alice: Caller, at: datetime) -> None:
        presence.write(dict.fromkeys(AuthToken.objects.filter(user=alice.player).values_list("digest", flat=True), at))

    with threads() as start:
        now = timezone.now() + MINUTE
        running: list[Any] = [start(lambda alice=alice: use(alice, now)) for alice in alices]  # type: ignore[misc]
        running += [start(lambda alice=alice: accounts.end_tokens(alice.player)) for alice in alices]  # type: ignore[misc]
        for each in running:
            each.result()
    connections.close_all()
    assert not AuthToken.objects.exists()


def test_the_memory_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(presence, "MOST_REMEMBERED", 2)
    uses, now = presence.Uses(), timezone.now()
    for number in range(5):
        assert list(uses.due(str(number), now)) == [str(number)]
    assert list(uses.due("4", now)) == []
    assert list(uses.due("0", now)) == ["0"]
