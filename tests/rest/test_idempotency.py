"""``Idempotency-Key``: a repeated request gets the first answer again, and has no second effect."""

from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from django.utils import timezone

from players.models import Player
from rest.idempotency import KEPT_FOR, forget_old_answers
from rest.models import AnsweredRequest
from runtime import deletion
from tables.models import Move, Table
from tests.cast import Answer, Caller, guest, join, open_table
from tests.matches import begin, play_match
from tests.players.conftest import PASSWORD
from tests.rest.checks import check_refused, nothing_changes, together

KEY = {"Idempotency_Key": "a key of somebody's"}
GUEST = {"name": "Alice"}
ACCOUNT = {"username": "alice", "password": PASSWORD}


def check_repeats(ask: Callable[[], Answer], status: int) -> Answer:
    """Ask, and ask again: the same bytes, and nothing is done twice."""
    first = ask()
    assert first.status == status, first.text
    with nothing_changes():
        again = ask()
    assert (again.status, again.text) == (first.status, first.text)
    assert again.headers["Content-Type"] == first.headers["Content-Type"]
    return first


def test_it_works(alice: Caller) -> None:
    check_repeats(lambda: alice.post("tables", {"name": "Friday"}, **KEY), 201)
    assert Table.objects.count() == 1


def test_a_repeated_guest_request_returns_the_same_token(spectator: Caller) -> None:
    answer = check_repeats(lambda: spectator.post("players/guest", GUEST, **KEY), 201)
    assert Caller(answer.body["token"]).get("players/me").status == 200


def test_an_account_is_made_once(spectator: Caller) -> None:
    check_repeats(lambda: spectator.post("players/register", ACCOUNT, **KEY), 201)


def test_a_guest_registers_once(alice: Caller) -> None:
    check_repeats(lambda: alice.post("players/register", ACCOUNT, **KEY), 201)
    assert Player.objects.count() == 1


def test_joining_again_returns_the_first_answer(alice: Caller, bob: Caller) -> None:
    invite = {"invite": open_table(alice)["invite"]["code"]}
    answer = check_repeats(lambda: bob.post("tables/join", invite, **KEY), 200)
    assert answer.body["seat"] == 1


def test_taking_a_seat_stays_new(alice: Caller, bob: Caller) -> None:
    table = open_table(alice, visibility="public")
    check_repeats(lambda: bob.post(f"tables/{table['id']}/seats", {}, **KEY), 201)


def test_a_rematch_stays_new(alice: Caller, bob: Caller) -> None:
    table = begin(alice, bob)
    play_match(table)
    check_repeats(lambda: alice.post(f"tables/{table['id']}/rematch", **KEY), 201)


def test_a_move_stays_new(playing: dict[str, Any], alice: Caller) -> None:
    move = alice.get(f"tables/{playing['id']}/position").body["you"]["legal_moves"][0]["move"]
    body = {"move": move, "number": 1}
    check_repeats(lambda: alice.post(f"tables/{playing['id']}/moves", body, **KEY), 201)
    assert Move.objects.count() == 1


def test_the_order_of_fields_does_not_matter(alice: Caller) -> None:
    first = alice.post("tables", {"name": "Friday", "seats": 3}, **KEY)
    assert alice.post("tables", {"seats": 3, "name": "Friday"}, **KEY).text == first.text


def test_the_repeated_answer_is_the_old_one_even_if_the_row_has_changed(alice: Caller, bob: Caller) -> None:
    first = alice.post("tables", {"name": "Friday"}, **KEY)
    join(first.body, bob)
    alice.patch(f"tables/{first.body['id']}", {"name": "Saturday"})
    assert alice.post("tables", {"name": "Friday"}, **KEY).text == first.text


def test_a_new_secret_key_discards_stored_answers(alice: Caller, settings: Any) -> None:
    """Stored answers cannot be read any more (docs/production.md)."""
    first = alice.post("tables", **KEY)
    settings.SECRET_KEY = "another that is as long as it has to be"
    again = check_repeats(lambda: alice.post("tables", **KEY), 201)
    assert again.body["id"] != first.body["id"]


def test_another_key_is_another_request(alice: Caller) -> None:
    first = alice.post("tables", {}, **KEY)
    assert alice.post("tables", {}, Idempotency_Key="another").body["id"] != first.body["id"]


def test_another_callers_same_key_is_another(alice: Caller, bob: Caller) -> None:
    first, second = alice.post("tables", {}, **KEY), bob.post("tables", {}, **KEY)
    assert (first.status, second.status) == (201, 201)
    assert first.body["id"] != second.body["id"]


@pytest.mark.parametrize("path", ["players/guest", "players/register"])
def test_a_caller_without_a_token_needs_a_long_key(spectator: Caller, path: str) -> None:
    """All callers of one address share their keys, so the same body would return another caller's token."""
    body = GUEST if path.endswith("guest") else ACCOUNT
    for key in ("k", "1", "x" * 15):
        ask = partial(spectator.post, path, body, Idempotency_Key=key)
        check_refused(ask, 400, "invalid", "Idempotency-Key")
    check_repeats(lambda: spectator.post(path, body, Idempotency_Key="x" * 16), 201)


def test_a_caller_with_a_token_may_use_a_short_key(alice: Caller) -> None:
    check_repeats(lambda: alice.post("tables", {}, Idempotency_Key="k"), 201)


def test_another_address_is_another_caller(db: None) -> None:
    from tests.rest.wsgi import environ_of, through_wsgi

    def ask(address: str) -> Answer:
        environ = environ_of("POST", "/api/v1/players/guest", b'{"name": "Alice"}')
        return through_wsgi(environ | {"REMOTE_ADDR": address, "HTTP_IDEMPOTENCY_KEY": "a key of somebody's"})

    first = ask("192.0.2.1")
    assert ask("192.0.2.1").text == first.text
    assert ask("192.0.2.2").body["token"] != first.body["token"]


def test_without_a_key_everything_is_done_twice(spectator: Caller) -> None:
    tokens = {spectator.post("players/guest", GUEST).body["token"] for _ in range(2)}
    assert len(tokens) == 2
    assert not AnsweredRequest.objects.exists()


@pytest.mark.parametrize("body", [{"name": "Saturday"}, {}, {"name": "Friday", "seats": 4}])
def test_another_body_with_the_same_key_is_refused(alice: Caller, body: dict[str, Any]) -> None:
    alice.post("tables", {"name": "Friday"}, **KEY)
    check_refused(lambda: alice.post("tables", body, **KEY), 422, "idempotency_key_reused")


def test_another_path_with_the_same_key_is_refused(alice: Caller) -> None:
    table = alice.post("tables", {}, **KEY).body
    check_refused(lambda: alice.post(f"tables/{table['id']}/seats", {}, **KEY), 422, "idempotency_key_reused")


@pytest.mark.parametrize("key", ["", "x" * 256])
def test_an_invalid_key_is_refused(alice: Caller, key: str) -> None:
    check_refused(lambda: alice.post("tables", {}, Idempotency_Key=key), 400, "invalid", "Idempotency-Key")


@pytest.mark.parametrize("key", ["x", "x" * 255, "\xfcber", " "])
def test_a_strange_key(alice: Caller, key: str) -> None:
    check_repeats(lambda: alice.post("tables", {}, Idempotency_Key=key), 201)


def test_the_answer_to_an_invalid_request_is_not_stored(alice: Caller) -> None:
    check_refused(lambda: alice.post("tables", {"seats": 0}, **KEY), 400, "invalid", "seats")
    assert not AnsweredRequest.objects.exists()
    assert alice.post("tables", {"seats": 3}, **KEY).status == 201


def test_a_refusal_of_the_table_is_not_stored(alice: Caller, bob: Caller, cleo: Caller) -> None:
    table = open_table(alice, seats=2, visibility="public")
    join(table, bob)
    path = f"tables/{table['id']}/seats"
    check_refused(lambda: cleo.post(path, {}, **KEY), 409, "table_full")
    bob.delete(f"{path}/1")
    assert cleo.post(path, {}, **KEY).status == 201


def test_nothing_can_be_read_from_a_stored_answer(spectator: Caller) -> None:
    token = spectator.post("players/guest", GUEST, **KEY).body["token"]
    row = AnsweredRequest.objects.values().get()
    kept = b"".join(bytes(value) if isinstance(value, memoryview) else str(value).encode() for value in row.values())
    for secret in (token, KEY["Idempotency_Key"], "Alice"):
        assert secret.encode() not in kept
    assert row["answer"]


def test_answers_are_kept_for_a_day(alice: Caller) -> None:
    first = alice.post("tables", {}, **KEY)
    now = timezone.now()
    forget_old_answers(now + KEPT_FOR - timedelta(minutes=1))
    assert alice.post("tables", {}, **KEY).text == first.text
    forget_old_answers(now + KEPT_FOR + timedelta(minutes=1))
    assert not AnsweredRequest.objects.exists()
    assert alice.post("tables", {}, **KEY).body["id"] != first.body["id"]


def test_all_old_answers_are_deleted_in_batches(
    db: None, monkeypatch: pytest.MonkeyPatch, django_assert_num_queries: Any
) -> None:
    monkeypatch.setattr(deletion, "AT_ONCE", 2)
    AnsweredRequest.objects.bulk_create(AnsweredRequest(digest=str(at), fingerprint="") for at in range(6))
    now = timezone.now()
    AnsweredRequest.objects.filter(digest__lt="5").update(created_at=now - 2 * KEPT_FOR)
    with django_assert_num_queries(3 + 4):  # to delete, and to ask for those
        forget_old_answers(now)
    assert [each.digest for each in AnsweredRequest.objects.all()] == ["5"]


@pytest.mark.django_db(transaction=True)
def test_guests_at_once_with_one_key_are_one() -> None:
    answers = together(*[lambda: Caller().post("players/guest", GUEST, **KEY)] * 4)
    assert {answer.status for answer in answers} == {201}
    assert len({answer.text for answer in answers}) == 1
    assert Player.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_tables_at_once_with_one_key_are_one() -> None:
    alice = guest("Alice")
    answers = together(*[lambda: alice.post("tables", {}, **KEY)] * 4)
    assert {answer.status for answer in answers} == {201}
    assert len({answer.text for answer in answers}) == 1
    assert Table.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_one_key_for_two_bodies_at_once_serves_only_one() -> None:
    alice = guest("Alice")
    answers = together(*[lambda seats=seats: alice.post("tables", {"seats": seats}, **KEY) for seats in (2, 3)])
    assert sorted(answer.status for answer in answers) == [201, 422]
    assert Table.objects.count() == 1
