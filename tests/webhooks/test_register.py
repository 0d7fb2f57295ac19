"""``GET`` and ``POST players/me/webhooks``."""

from base64 import b64decode
from functools import partial
from typing import Any

import pytest

from players.models import Player
from tests.cast import Answer, Caller, guest
from tests.matches import begin
from tests.receiver import Receiver
from tests.rest.checks import check_refused, together
from webhooks import addresses
from webhooks.models import Delivery, Webhook

PATH = "players/me/webhooks"
EVENTS = ["your_turn", "table_finished"]


def test_it_works(alice: Caller, receiver: Receiver) -> None:
    answer = alice.post(PATH, {"url": receiver.url, "events": EVENTS})
    assert answer.status == 201
    assert answer.headers["Location"] == f"/api/v1/{PATH}/{answer.body['id']}"
    secret = answer.body.pop("secret")
    assert secret.startswith("whsec_")
    assert len(b64decode(secret.removeprefix("whsec_"))) == 32
    assert (answer.body["url"], answer.body["events"]) == (receiver.url, sorted(EVENTS))
    assert (answer.body["enabled"], answer.body["disabled_reason"], answer.body["last_delivery"]) == (True, None, None)
    assert receiver.told == []


def test_the_secret_is_shown_only_once(alice: Caller, webhook: dict[str, Any]) -> None:
    for answer in (alice.get(PATH), alice.get(f"{PATH}/{webhook['id']}"), alice.patch(f"{PATH}/{webhook['id']}", {})):
        assert answer.status == 200
        assert webhook["id"] in answer.text
        assert "secret" not in answer.text
        assert webhook["secret"] not in answer.text


def test_the_list_has_the_callers_webhooks_oldest_first(alice: Caller, bob: Caller, webhook: dict[str, Any]) -> None:
    second = alice.post(PATH, {"url": f"{webhook['url']}2", "events": ["your_turn"]}).body
    assert [each["id"] for each in alice.get(PATH).body] == [webhook["id"], second["id"]]
    assert bob.get(PATH).body == []


def test_a_list_of_five_takes_as_many_queries_as_a_list_of_one(
    alice: Caller, webhook: dict[str, Any], django_assert_num_queries: Any
) -> None:
    for at in range(4):
        alice.post(PATH, {"url": f"{webhook['url']}{at}", "events": EVENTS})
    with django_assert_num_queries(3):
        assert len(alice.get(PATH).body) == 5


def test_a_player_has_five_webhooks_at_most(alice: Caller, bob: Caller, webhook: dict[str, Any]) -> None:
    bodies = [{"url": f"{webhook['url']}{at}", "events": EVENTS} for at in range(5)]
    assert [alice.post(PATH, body).status for body in bodies[:4]] == [201] * 4
    check_refused(lambda: alice.post(PATH, bodies[4]), 409, "too_many_webhooks")
    assert bob.post(PATH, bodies[4]).status == 201


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("https://1.1.1.1/turns", "https://1.1.1.1/turns"),
        ("https://example.org", "https://example.org/"),
        ("https://example.org/a", "https://EXAMPLE.org.:443/a"),
    ],
)
def test_a_player_has_one_webhook_for_each_url(alice: Caller, bob: Caller, one: str, other: str) -> None:
    """So each turn is sent once. PATCH changes the subscribed events."""
    first = alice.post(PATH, {"url": one, "events": EVENTS})
    assert first.status == 201
    check_refused(lambda: alice.post(PATH, {"url": other, "events": ["your_turn"]}), 409, "webhook_exists")
    assert bob.post(PATH, {"url": other, "events": EVENTS}).status == 201
    second = alice.post(PATH, {"url": "https://1.1.1.1/others", "events": EVENTS}).body
    check_refused(lambda: alice.patch(f"{PATH}/{second['id']}", {"url": other}), 409, "webhook_exists")
    assert alice.patch(f"{PATH}/{first.body['id']}", {"url": other, "enabled": True}).status == 200


def test_of_two_old_webhooks_with_one_url_the_earlier_gets_the_message(
    alice: Caller, bob: Caller, webhook: dict[str, Any]
) -> None:
    later = alice.post(PATH, {"url": "https://1.1.1.1/", "events": EVENTS}).body
    Webhook.objects.filter(pk=later["id"]).update(url=webhook["url"])
    begin(alice, bob)
    assert [str(each.webhook_id) for each in Delivery.objects.all()] == [webhook["id"]]
    alice.patch(f"{PATH}/{later['id']}", {"enabled": False})
    check_refused(lambda: alice.patch(f"{PATH}/{later['id']}", {"enabled": True}), 409, "webhook_exists")
    alice.patch(f"{PATH}/{webhook['id']}", {"enabled": False})
    assert alice.patch(f"{PATH}/{later['id']}", {"enabled": True}).status == 200


def test_registering_again_with_the_same_key_returns_the_same_webhook(alice: Caller, receiver: Receiver) -> None:
    body = {"url": receiver.url, "events": EVENTS}
    first, again = (alice.post(PATH, body, Idempotency_Key="k") for _ in range(2))
    assert (first.status, again.status, first.body) == (201, 201, again.body)
    assert Webhook.objects.count() == 1


@pytest.mark.parametrize(
    "url",
    [
        "http://example.org/",
        "ftp://example.org/",
        "//example.org/",
        "example.org",
        "",
        "https://",
        "https:///path",
        "https://user@example.org/",
        "https://user:word@example.org/",
        "https://example.org/#part",
        "https://example.org\\@127.0.0.1/",
        "https://example.org/a b",
        "https://example.org/\t/",
        "https://exämple.org/",
        "https://example.org:0/",
        "https://example.org:22/",
        "https://example.org:65536/",
        "https://example.org:-1/",
        "https://example.org:https/",
        "https://[::1/",
        "https://[fe80::1%25eth0]/",
        "https://%31%32%37.0.0.1/",
        "https://127.0.0.1/",
        "https://127.1/",
        "https://0x7f.1/",
        "https://2130706433/",
        "https://017700000001/",
        "https://localhost/",
        "https://LOCALHOST./",
        "https://0.0.0.0/",
        "https://[::]/",
        "https://[::1]/",
        "https://[::ffff:127.0.0.1]/",
        "https://[64:ff9b::10.0.0.1]/",
        "https://169.254.169.254/latest/meta-data/",
        "https://10.0.0.1/",
        "https://192.168.1.1:8443/",
        "https://printer.local/",
        "https://nas.internal./",
        "https://intranet/",
        "https://" + "x" * 64 + ".example/",
        "https://a..b/",
        "https://example.org/" + "x" * 500,
    ],
)
def test_a_url_that_is_not_allowed_is_refused(alice: Caller, url: str) -> None:
    check_refused(lambda: alice.post(PATH, {"url": url, "events": EVENTS}), 400, "invalid", "url")


def test_a_refused_url_has_a_code_for_the_reason(alice: Caller) -> None:
    answer = alice.post(PATH, {"url": "https://127.0.0.1/", "events": EVENTS})
    assert answer.body["errors"][0]["code"] == "not_public"


def test_registering_needs_no_dns_look_up(alice: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    """It may take seconds, and other requests would wait for the connection or the `Idempotency-Key`."""
    asked: list[Any] = []
    monkeypatch.setattr(addresses.LOOK_UPS, "ask", lambda *name: asked.append(name))
    made = alice.post(PATH, {"url": "https://no-such-name.invalid/", "events": EVENTS}, Idempotency_Key="k")
    assert made.status == 201
    assert alice.patch(f"{PATH}/{made.body['id']}", {"url": "https://example.org./"}).status == 200
    assert asked == []


def test_an_ip_address_in_a_url_is_checked_at_once(alice: Caller) -> None:
    for url in ("https://1.1.1.1/", "https://[2606:4700:4700::1111]:8443/"):
        assert alice.post(PATH, {"url": url, "events": EVENTS}).status == 201


def test_a_test_receiver_is_one_host_with_one_port(alice: Caller, receiver: Receiver) -> None:
    def register(host: str) -> Answer:
        return alice.post(PATH, {"url": f"https://{host}/", "events": EVENTS})

    for host in (f"127.0.0.1:{receiver.port}", f"localhost:{receiver.port + 1}", "localhost"):
        check_refused(partial(register, host), 400, "invalid", "url")


@pytest.mark.parametrize(
    ("fields", "wrong"),
    [
        ({"events": []}, "events"),
        ({"events": ["test"]}, "events.0"),
        ({"events": ["your_turn", "my_turn"]}, "events.1"),
        ({"events": "your_turn"}, "events"),
        ({"events": None}, "events"),
        ({"events": {"your_turn": 1}}, "events"),
        ({"url": None}, "url"),
        ({"secret": "whsec_eA=="}, "secret"),
        ({"enabled": False}, "enabled"),
    ],
)
def test_invalid_fields_are_refused(alice: Caller, receiver: Receiver, fields: dict[str, Any], wrong: str) -> None:
    body = {"url": receiver.url, "events": EVENTS} | fields
    check_refused(lambda: alice.post(PATH, body), 400, "invalid", wrong)


def test_a_caller_without_a_token_has_no_webhooks(spectator: Caller) -> None:
    check_refused(lambda: spectator.get(PATH), 401, "not_authenticated")
    check_refused(lambda: spectator.post(PATH, {}), 401, "not_authenticated")


def test_has_webhooks_is_set_for_a_player_with_a_webhook(alice: Caller, bob: Caller, webhook: dict[str, Any]) -> None:
    assert alice.player is not None
    assert list(Player.objects.filter(has_webhooks=True)) == [alice.player]


def test_registering_is_limited(alice: Caller, receiver: Receiver) -> None:
    from rest.throttles import WebhookThrottle

    WebhookThrottle.THROTTLE_RATES["webhook"] = "2/min"
    try:
        answers = [alice.post(PATH, {"url": f"{receiver.url}{at}", "events": EVENTS}) for at in range(5)]
    finally:
        WebhookThrottle.THROTTLE_RATES["webhook"] = None
    assert {answer.status for answer in answers} == {201, 429}
    assert alice.get(PATH).status == 200


@pytest.mark.django_db(transaction=True)
def test_many_registrations_at_once_create_five_at_most(receiver: Receiver) -> None:
    alice = guest("Alice")

    def ask(at: int) -> Answer:
        return alice.post(PATH, {"url": f"{receiver.url}{at}", "events": EVENTS})

    answers = together(*(partial(ask, at) for at in range(8)))
    assert sorted(answer.status for answer in answers) == [201] * 5 + [409] * 3
    assert Webhook.objects.count() == 5


@pytest.mark.django_db(transaction=True)
def test_many_registrations_at_once_of_one_url_create_one(receiver: Receiver) -> None:
    alice = guest("Alice")
    answers = together(*[lambda: alice.post(PATH, {"url": receiver.url, "events": EVENTS})] * 4)
    assert sorted(answer.status for answer in answers) == [201, 409, 409, 409]
