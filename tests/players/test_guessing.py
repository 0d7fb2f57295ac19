"""One limit for an account's password, shared by all endpoints that check it, and one limit for each address."""

from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth import hashers
from django.contrib.auth.models import AnonymousUser
from django.test import Client

from players.accounts import register
from players.models import Player
from players.tokens import issue_token
from runtime.redis_commands import RetryTime
from tests.cast import Answer, Caller
from tests.players.conftest import PASSWORD
from tests.rates import limit
from tests.rest.checks import check_problem, check_refused
from tests.rest.wsgi import environ_of, through_wsgi

WRONG = "trains-and-tiles"


@pytest.fixture
def keeper(alice: Caller) -> Caller:
    """A superuser with a username that no other test has, so that no address is known for it."""
    assert alice.player is not None
    name = f"keeper{uuid4().hex[:12]}"
    player = register(alice.player, name, PASSWORD, None)
    Player.objects.filter(pk=player.pk).update(is_staff=True, is_superuser=True)
    return Caller(issue_token(player), player)


def username(caller: Caller) -> str:
    assert caller.player is not None
    return str(caller.player.username)


def log_in(caller: Caller, password: str, address: str = "127.0.0.1") -> Answer:
    body = f'{{"username": "{username(caller)}", "password": "{password}"}}'.encode()
    return through_wsgi(environ_of("POST", "/api/v1/players/login", body) | {"REMOTE_ADDR": address})


def register_again(caller: Caller, password: str) -> Answer:
    return caller.post("players/register", {"username": username(caller), "password": password})


def change_password(caller: Caller, password: str) -> Answer:
    return caller.patch("players/me", {"current_password": password, "password": "dominoes at night"})


def as_answer(response: Any) -> Answer:
    return Answer(response.status_code, None, response.headers, response.content.decode())


def enter_admin(caller: Caller, password: str) -> Answer:
    return as_answer(Client().post("/admin/login/", {"username": username(caller), "password": password}))


def change_in_admin(caller: Caller, password: str) -> Answer:
    client = Client()
    client.force_login(Player.objects.get(username=username(caller)))
    form = {"old_password": password, "new_password1": PASSWORD, "new_password2": PASSWORD}
    return as_answer(client.post("/admin/password_change/", form))


DOORS: dict[str, Callable[[Caller, str], Answer]] = {
    "login": log_in,
    "register": register_again,
    "me": change_password,
    "admin": enter_admin,
    "admin's change": change_in_admin,
}
each_door = pytest.mark.parametrize("door", DOORS.values(), ids=DOORS)


@each_door
@pytest.mark.parametrize("scope", ["login", "password"])
def test_too_many_tries_at_one_endpoint_block_all_endpoints(
    keeper: Caller, monkeypatch: pytest.MonkeyPatch, door: Callable[[Caller, str], Answer], scope: str
) -> None:
    limit(monkeypatch, **{scope: "2/min"})
    assert [log_in(keeper, WRONG).status for _ in range(2)] == [401, 401]
    answer = door(keeper, PASSWORD)
    assert answer.status == 429, answer.text
    assert int(answer.headers["Retry-After"]) > 0
    if answer.body is None:
        assert "Too many tries" in answer.text
        assert f"Too many requests; try again in {answer.headers['Retry-After']} second" in answer.text


def test_opening_the_forms_of_the_admin_is_not_counted(keeper: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    limit(monkeypatch, login="1/min", password="1/hour")
    client = Client()
    assert [client.get("/admin/login/").status_code for _ in range(2)] == [200, 200]
    client.force_login(Player.objects.get(username=username(keeper)))
    assert [client.get("/admin/password_change/").status_code for _ in range(2)] == [200, 200]
    assert enter_admin(keeper, PASSWORD).status == 302


@each_door
def test_a_wrong_password_counts_at_every_endpoint(
    keeper: Caller, monkeypatch: pytest.MonkeyPatch, door: Callable[[Caller, str], Answer]
) -> None:
    limit(monkeypatch, password="2/hour")
    assert [door(keeper, WRONG).status in {200, 400, 401, 409, 429} for _ in range(2)] == [True] * 2
    assert log_in(keeper, PASSWORD).status == 429


@each_door
def test_beyond_the_limit_no_password_is_hashed(
    keeper: Caller, monkeypatch: pytest.MonkeyPatch, door: Callable[[Caller, str], Answer]
) -> None:
    limit(monkeypatch, login="1/min")
    log_in(keeper, WRONG)

    def hash_nothing(*args: object) -> None:
        raise AssertionError("a password is hashed")

    monkeypatch.setattr(hashers.MD5PasswordHasher, "encode", hash_nothing)
    assert door(keeper, PASSWORD).status == 429


@each_door
def test_a_correct_password_is_not_counted(
    keeper: Caller, monkeypatch: pytest.MonkeyPatch, door: Callable[[Caller, str], Answer]
) -> None:
    limit(monkeypatch, password="2/hour")
    assert door(keeper, PASSWORD).status in {200, 302}
    assert [log_in(keeper, WRONG, f"192.0.2.{at}").status for at in range(2)] == [401, 401]


def test_many_addresses_share_the_accounts_limit(keeper: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    limit(monkeypatch, password="3/hour")
    answers = [log_in(keeper, WRONG, f"192.0.2.{at}") for at in range(4)]
    assert [answer.status for answer in answers] == [401, 401, 401, 429]


def test_a_known_address_is_exempt_from_the_accounts_limit(keeper: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the password has been right lately, strangers' tries do not count; those from there do."""
    limit(monkeypatch, password="1/hour", login="4/min")
    assert log_in(keeper, PASSWORD, "198.51.100.7").status == 200
    assert [log_in(keeper, WRONG, "192.0.2.1").status for _ in range(2)] == [401, 429]
    assert log_in(keeper, PASSWORD, "198.51.100.7").status == 200
    assert [log_in(keeper, WRONG, "198.51.100.7").status for _ in range(3)] == [401, 401, 429]
    assert keeper.get("players/me").status == 200


def test_another_spelling_of_the_username_has_the_same_count(keeper: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    limit(monkeypatch, password="1/hour")
    names = [username(keeper), username(keeper).upper()]
    answers = [Caller().post("players/login", {"username": name, "password": WRONG}) for name in names]
    assert [answer.status for answer in answers] == [401, 429]


def test_the_addresses_of_one_network_are_one_caller(keeper: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    """The owner of an IPv6 address has millions of them."""
    limit(monkeypatch, login="2/min")
    wanted = ["2001:db8:1:2::1", "2001:db8:1:2::2", "2001:db8:1:2:ffff::3", "2001:db8:1:3::1", "::ffff:192.0.2.1"]
    assert [log_in(keeper, WRONG, each).status for each in wanted] == [401, 401, 429, 401, 401]


def test_asking_whether_a_username_is_taken_is_limited_too(keeper: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    limit(monkeypatch, login="2/min")
    taken = {"username": username(keeper), "password": PASSWORD}
    assert [Caller().post("players/register", taken).status for _ in range(3)] == [400, 400, 429]
    answer = check_refused(lambda: Caller().post("players/register", taken), 429, "too_many_requests")
    assert int(answer.headers["Retry-After"]) > 0


def test_the_limit_holds_without_redis(keeper: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each process counts for itself then."""
    limit(monkeypatch, password="2/hour")
    monkeypatch.setattr(RetryTime, "began", lambda: None)
    answers = [log_in(keeper, WRONG) for _ in range(3)]
    assert [answer.status for answer in answers[:2]] == [401, 401]
    check_problem(answers[2], 429, "too_many_requests")


@pytest.mark.parametrize("spelling", ["{0}İ{1}", "{0}I{1}", "{0}\N{SMALL ROMAN NUMERAL ONE}{1}"])
def test_every_spelling_of_a_username_shares_its_count(
    alice: Caller, monkeypatch: pytest.MonkeyPatch, spelling: str
) -> None:
    """PostgreSQL takes ``İ`` for an ``i``, Python does not."""
    parts = (uuid4().hex[:12], uuid4().hex[:12])
    assert alice.player is not None
    keeper = Caller(None, register(alice.player, "i".join(parts), PASSWORD, None))
    other = Caller(None, Player(username=spelling.format(*parts)))
    limit(monkeypatch, password="2/hour")
    assert log_in(other, PASSWORD).status == 200
    assert [log_in(caller, WRONG, f"192.0.2.{at}").status for at, caller in enumerate((keeper, other))] == [401, 401]
    assert log_in(other, PASSWORD, "192.0.2.9").status == 429


@pytest.mark.django_db
def test_two_accounts_have_separate_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    """A correct password for one account does not exempt the address for the other account."""
    name = uuid4().hex[:12]
    street, other = (Caller(None, register(AnonymousUser(), f"{name}{end}", PASSWORD, None)) for end in ("ss", "ß"))
    limit(monkeypatch, password="2/hour")
    assert log_in(other, PASSWORD).status == 200
    assert [log_in(street, WRONG).status for _ in range(3)] == [401, 401, 429]
    assert log_in(other, PASSWORD, "192.0.2.1").status == 200


@pytest.mark.django_db
def test_a_username_that_no_account_can_have_is_counted_too(monkeypatch: pytest.MonkeyPatch) -> None:
    limit(monkeypatch, password="2/hour")
    odd = Caller(None, Player(username=f"{uuid4().hex}\0"))
    assert [enter_admin(odd, WRONG).status for _ in range(3)] == [200, 200, 429]
