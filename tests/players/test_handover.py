"""``POST players/me/handover`` and ``POST players/handover``: continuing on another device."""

from collections.abc import Callable
from datetime import timedelta

import pytest
import time_machine
from django.utils import timezone
from django.utils.dateparse import parse_datetime

from players import accounts, handover
from players.models import Handover
from tests.cast import Answer, Caller, guest
from tests.players.conftest import PASSWORD
from tests.rates import limit
from tests.rest.checks import check_problem, check_refused, together
from tests.rest.wsgi import environ_of, through_wsgi

KEY = {"Idempotency_Key": "a key of somebody's"}


def offered(caller: Caller) -> str:
    answer = caller.post("players/me/handover")
    assert answer.status == 201, answer.text
    return str(answer.body["code"])


def accept(code: object) -> Answer:
    return Caller().post("players/handover", {"code": code})


def test_it_works(alice: Caller) -> None:
    before = timezone.now()
    offer = alice.post("players/me/handover").body
    expires_at = parse_datetime(offer["expires_at"])
    assert expires_at is not None
    assert timedelta(seconds=119) < expires_at - before < timedelta(seconds=130)
    answer = accept(offer["code"])
    assert answer.status == 201
    assert answer.body["player"] == alice.get("players/me").body
    assert answer.body["token"] != alice.token
    assert Caller(answer.body["token"]).get("players/me").status == 200
    assert alice.get("players/me").status == 200


@pytest.mark.parametrize(
    "spell",
    [str.lower, lambda code: code.replace("-", ""), lambda code: code.replace("-", " "), lambda code: f" {code}\n"],
)
def test_the_code_is_accepted_in_every_usual_spelling(alice: Caller, spell: Callable[[str], str]) -> None:
    assert accept(spell(offered(alice))).status == 201


def test_a_code_is_valid_once(alice: Caller) -> None:
    code = offered(alice)
    assert accept(code).status == 201
    check_refused(lambda: accept(code), 404, "unknown_code")


def test_a_code_is_valid_for_two_minutes(alice: Caller) -> None:
    with time_machine.travel(timezone.now(), tick=False) as clock:
        codes = [offered(caller) for caller in (alice, guest("Bob"))]
        clock.shift(timedelta(seconds=119.999))
        handover.forget_expired(timezone.now())
        assert accept(codes[0]).status == 201
        clock.shift(timedelta(milliseconds=1))
        check_refused(lambda: accept(codes[1]), 404, "unknown_code")
        handover.forget_expired(timezone.now())
    assert not Handover.objects.exists()


def test_a_newer_code_replaces_the_one_before(alice: Caller) -> None:
    first, second = offered(alice), offered(alice)
    check_refused(lambda: accept(first), 404, "unknown_code")
    assert accept(second).status == 201


@pytest.mark.parametrize("code", ["", "x" * 101, None, ["a"], "a\0b", 7, {}])
def test_an_invalid_code_is_refused(alice: Caller, code: object) -> None:
    check_refused(lambda: accept(code), 400, "invalid", "code")


@pytest.mark.parametrize("code", ["ABCD-EFGH-JKLM", "x", "🁣", "-", "' or 1=1 --"])
def test_an_unknown_code_is_refused(alice: Caller, code: str) -> None:
    offered(alice)
    check_refused(lambda: accept(code), 404, "unknown_code")


def test_a_code_has_fifty_random_bits_and_is_stored_as_a_hash(alice: Caller) -> None:
    assert len(handover.ALPHABET) ** (handover.GROUPS * handover.OF_GROUP) > 2**50
    code = offered(alice)
    assert set(code) <= {*handover.ALPHABET, "-"}
    row = str(Handover.objects.values().get())
    assert code not in row
    assert code.replace("-", "") not in row


def test_a_retry_with_a_key_gets_the_same_answer(alice: Caller) -> None:
    first = alice.post("players/me/handover", **KEY)
    assert alice.post("players/me/handover", **KEY).text == first.text
    answers = [Caller().post("players/handover", {"code": first.body["code"]}, **KEY) for _ in range(2)]
    assert [answer.status for answer in answers] == [201, 201]
    assert answers[0].text == answers[1].text


def end_everywhere(caller: Caller) -> Answer:
    return caller.post("players/logout", {"everywhere": True})


def change_password(caller: Caller) -> Answer:
    return caller.patch("players/me", {"current_password": PASSWORD, "password": "dominoes at night"})


def delete(caller: Caller) -> Answer:
    return caller.delete("players/me")


@pytest.mark.parametrize("end", [end_everywhere, change_password, delete])
def test_a_code_ends_with_the_players_tokens(dora: Caller, end: Callable[[Caller], Answer]) -> None:
    code = offered(dora)
    assert end(dora).status < 300
    check_refused(lambda: accept(code), 404, "unknown_code")
    assert not Handover.objects.filter(player=dora.player).exists()


def test_the_code_of_an_inactive_player_is_refused(dora: Caller) -> None:
    code = offered(dora)
    assert dora.player is not None
    type(dora.player).objects.update(is_active=False)
    check_refused(lambda: accept(code), 404, "unknown_code")


def test_a_player_who_is_deleted_meanwhile_gets_no_code(alice: Caller) -> None:
    assert alice.player is not None
    accounts.forget(alice.player)
    with pytest.raises(accounts.Forgotten):
        handover.offer(alice.player, timezone.now())
    assert not Handover.objects.exists()


def test_a_code_needs_a_token(spectator: Caller) -> None:
    check_refused(lambda: spectator.post("players/me/handover"), 401, "not_authenticated")


def test_guessing_is_limited_and_a_correct_code_is_not_counted(alice: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    codes = [offered(guest("Bob")) for _ in range(2)]
    limit(monkeypatch, handover="2/min")
    assert [accept(code).status for code in [*codes, "NQSUCHCQDE", "NQSUCHCQDF"]] == [201, 201, 404, 404]
    check_problem(accept(offered_without_limit(alice)), 429, "too_many_requests")


def offered_without_limit(caller: Caller) -> str:
    assert caller.player is not None
    return handover.offer(caller.player, timezone.now())[0]


@pytest.mark.parametrize("same", ["player", "address"])
def test_making_codes_is_limited(same: str, alice: Caller, bob: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    """Codes are counted for the player from all addresses, and for the address with all players."""
    limit(monkeypatch, handover="2/min")
    callers = (alice, alice, alice) if same == "player" else (alice, bob, alice)
    addresses = ["192.0.2.1"] * 3 if same == "address" else ["192.0.2.1", "192.0.2.2", "192.0.2.3"]
    statuses = [offer_at(address, caller) for address, caller in zip(addresses, callers, strict=True)]
    assert statuses == [201, 201, 429]


def offer_at(address: str, caller: Caller) -> int:
    told = {"REMOTE_ADDR": address, "HTTP_AUTHORIZATION": f"Bearer {caller.token}"}
    return through_wsgi(environ_of("POST", "/api/v1/players/me/handover") | told).status


def test_tries_for_one_code_are_limited_for_all_addresses_together(
    alice: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All spellings of a code share one count; this code belongs to nobody."""
    limit(monkeypatch, handover="2/min")
    spelt = ("NQSU-CHCQ-DEFG", "nqsuchcqdefg", "NQSU CHCQ DEFG")
    assert [accept_at(f"192.0.2.{number}", code) for number, code in enumerate(spelt)] == [404, 404, 429]


def accept_at(address: str, code: str) -> int:
    body = f'{{"code": "{code}"}}'.encode()
    return through_wsgi(environ_of("POST", "/api/v1/players/handover", body) | {"REMOTE_ADDR": address}).status


@pytest.mark.django_db(transaction=True)
def test_of_two_devices_with_one_code_one_gets_a_token() -> None:
    code = offered(guest("Alice"))
    answers = together(*[lambda: accept(code)] * 4)
    assert sorted(answer.status for answer in answers) == [201, 404, 404, 404]
