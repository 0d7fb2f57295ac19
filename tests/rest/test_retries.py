"""The answer to a request that is sent again after it had arrived, for every operation that changes something."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.cast import Answer, Caller, guest, join, open_table
from tests.matches import begin, play_match
from tests.players.conftest import PASSWORD
from tests.rest.operations import operations

NEW = "dominoes at night"
ACCOUNT = {"username": "carol", "password": PASSWORD}
WEBHOOK = {"url": "https://1.1.1.1/turns", "events": ["your_turn"]}
Ask = Callable[..., Answer]


def waiting() -> tuple[Caller, Caller, dict[str, Any]]:
    """Alice hosts a public table of two, with a seat free for Bob."""
    alice, bob = guest("Alice"), guest("Bob")
    return alice, bob, open_table(alice, seats=2, visibility="public")


def ready() -> tuple[Caller, Caller, dict[str, Any]]:
    alice, bob, table = waiting()
    join(table, bob)
    return alice, bob, table


def account() -> Caller:
    alice = guest("Alice")
    alice.post("players/register", ACCOUNT)
    return alice


def with_webhook() -> tuple[Caller, str]:
    alice = guest("Alice")
    return alice, f"players/me/webhooks/{alice.post('players/me/webhooks', WEBHOOK).body['id']}"


def register_guest() -> Ask:
    return lambda **key: Caller().post("players/guest", {"name": "Alice"}, **key)


def register() -> Ask:
    alice = guest("Alice")
    return lambda **key: alice.post("players/register", ACCOUNT, **key)


def login() -> Ask:
    account()
    return lambda **key: Caller().post("players/login", ACCOUNT, **key)


def logout() -> Ask:
    alice = guest("Alice")
    return lambda **key: alice.post("players/logout", **key)


def change_me() -> Ask:
    carol = account()
    change = {"current_password": PASSWORD, "password": NEW}
    return lambda **key: carol.patch("players/me", change, **key)


def forget_me() -> Ask:
    alice = guest("Alice")
    return lambda **key: alice.delete("players/me", **key)


def offer_handover() -> Ask:
    alice = guest("Alice")
    return lambda **key: alice.post("players/me/handover", **key)


def handover() -> Ask:
    code = guest("Alice").post("players/me/handover").body["code"]
    return lambda **key: Caller().post("players/handover", {"code": code}, **key)


def end_session() -> Ask:
    carol = account()
    Caller().post("players/login", ACCOUNT)
    other = next(each["id"] for each in carol.get("players/me/sessions").body if not each["current"])
    return lambda **key: carol.delete(f"players/me/sessions/{other}", **key)


def add_webhook() -> Ask:
    alice = guest("Alice")
    return lambda **key: alice.post("players/me/webhooks", WEBHOOK, **key)


def change_webhook() -> Ask:
    alice, path = with_webhook()
    return lambda **key: alice.patch(path, {"enabled": False}, **key)


def remove_webhook() -> Ask:
    alice, path = with_webhook()
    return lambda **key: alice.delete(path, **key)


def try_webhook() -> Ask:
    alice, path = with_webhook()
    return lambda **key: alice.post(f"{path}/test", **key)


def opening() -> Ask:
    alice = guest("Alice")
    return lambda **key: alice.post("tables", {}, **key)


def change_table() -> Ask:
    alice, _, table = waiting()
    return lambda **key: alice.patch(f"tables/{table['id']}", {"name": "Friday"}, **key)


def joining() -> Ask:
    _, bob, table = waiting()
    return lambda **key: bob.post("tables/join", {"invite": table["invite"]["code"]}, **key)


def take_seat() -> Ask:
    _, bob, table = waiting()
    return lambda **key: bob.post(f"tables/{table['id']}/seats", {}, **key)


def leave_seat() -> Ask:
    _, bob, table = ready()
    return lambda **key: bob.delete(f"tables/{table['id']}/seats/1", **key)


def seat_bot() -> Ask:
    alice, _, table = waiting()
    return lambda **key: alice.put(f"tables/{table['id']}/seats/1/bot", {"level": "easy"}, **key)


def renew_invite() -> Ask:
    alice, _, table = waiting()
    return lambda **key: alice.post(f"tables/{table['id']}/invite", **key)


def set_client_seed() -> Ask:
    alice, _, table = waiting()
    return lambda **key: alice.put(f"tables/{table['id']}/client-seed", {"seed": "luck"}, **key)


def start() -> Ask:
    alice, _, table = ready()
    return lambda **key: alice.post(f"tables/{table['id']}/start", **key)


def cancel() -> Ask:
    alice, _, table = ready()
    return lambda **key: alice.post(f"tables/{table['id']}/cancel", **key)


def play() -> Ask:
    alice, bob = guest("Alice"), guest("Bob")
    table = begin(alice, bob)
    move = alice.get(f"tables/{table['id']}/position").body["you"]["legal_moves"][0]["move"]
    return lambda **key: alice.post(f"tables/{table['id']}/moves", {"move": move, "number": 1}, **key)


CLOCK = {"turn_seconds": 60, "on_timeout": "auto"}


def propose_clock() -> Ask:
    alice, bob = guest("Alice"), guest("Bob")
    table = begin(alice, bob)
    return lambda **key: alice.post(f"tables/{table['id']}/clock", CLOCK, **key)


def withdraw_clock() -> Ask:
    alice, bob = guest("Alice"), guest("Bob")
    table = begin(alice, bob)
    alice.post(f"tables/{table['id']}/clock", CLOCK)
    return lambda **key: alice.delete(f"tables/{table['id']}/clock", **key)


def rematch() -> Ask:
    alice, bob = guest("Alice"), guest("Bob")
    table = begin(alice, bob)
    play_match(table)
    return lambda **key: alice.post(f"tables/{table['id']}/rematch", **key)


RETRIES: dict[str, tuple[Callable[[], Ask], int, int]] = {
    "add_webhook": (add_webhook, 201, 409),
    "cancel": (cancel, 200, 200),
    "change_me": (change_me, 200, 200),
    "change_table": (change_table, 200, 200),
    "change_webhook": (change_webhook, 200, 200),
    "end_session": (end_session, 204, 204),
    "forget_me": (forget_me, 204, 401),
    "handover": (handover, 201, 404),
    "join": (joining, 200, 200),
    "leave_seat": (leave_seat, 204, 204),
    "login": (login, 200, 200),
    "logout": (logout, 204, 401),
    "offer_handover": (offer_handover, 201, 201),
    "open_table": (opening, 201, 201),
    "play": (play, 201, 200),
    "propose_clock": (propose_clock, 202, 202),
    "register": (register, 201, 200),
    "register_guest": (register_guest, 201, 201),
    "rematch": (rematch, 201, 200),
    "remove_webhook": (remove_webhook, 204, 404),
    "renew_invite": (renew_invite, 200, 200),
    "seat_bot": (seat_bot, 200, 200),
    "set_client_seed": (set_client_seed, 200, 200),
    "start": (start, 200, 200),
    "take_seat": (take_seat, 201, 200),
    "try_webhook": (try_webhook, 202, 202),
    "withdraw_clock": (withdraw_clock, 204, 204),
}
"""By operation: a call, the status that it gets, and the status that it gets when it is sent again without a key."""
CHANGES_NOTHING = {"check_record", "check_rules"}
TAKES_KEY = {
    each.id
    for each in operations()
    if "Idempotency-Key" in {one["name"] for one in each.description.get("parameters", ())}
}


def test_every_operation_that_changes_something_is_listed() -> None:
    assert RETRIES.keys() | CHANGES_NOTHING == {each.id for each in operations() if each.method != "GET"}


@pytest.mark.django_db
@pytest.mark.parametrize("name", RETRIES)
def test_a_repeated_request_without_a_key(name: str) -> None:
    prepare, first, again = RETRIES[name]
    ask = prepare()
    assert [ask().status, ask().status] == [first, again]


@pytest.mark.django_db
@pytest.mark.parametrize("name", sorted(RETRIES.keys() & TAKES_KEY))
def test_with_a_key_the_answer_is_the_same(name: str) -> None:
    prepare, first, _ = RETRIES[name]
    ask = prepare()
    answers = [ask(Idempotency_Key="a key of somebody's") for _ in range(2)]
    assert [answer.status for answer in answers] == [first, first]
    assert answers[0].text == answers[1].text


def test_an_operation_that_refuses_a_repeat_supports_a_key_or_ends_the_token() -> None:
    refused = {name for name, (_, _, again) in RETRIES.items() if again >= 400}
    assert refused - TAKES_KEY == {"logout", "forget_me"}
