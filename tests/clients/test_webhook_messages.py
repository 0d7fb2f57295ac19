"""A message to a webhook is accepted only if the server signed it recently with the webhook's secret."""

import base64
import json
import secrets
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from email.message import Message as Header
from typing import Any

import pytest
import time_machine
from hypothesis import given
from hypothesis import strategies as st
from standardwebhooks import Webhook as Signer
from standardwebhooks.webhooks import WebhookVerificationError

from mexican_train import BadAnswer, Unverified
from mexican_train.webhooks import verify
from webhooks import posting
from webhooks.models import Delivery

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
SECRET = "whsec_" + base64.b64encode(secrets.token_bytes(24)).decode()
OTHER = "whsec_" + base64.b64encode(secrets.token_bytes(24)).decode()
BODY = json.dumps(
    {"type": "your_turn", "timestamp": "2026-11-30T12:00:00.000Z", "data": {"name": "Zoë's 🚂", "seat": 0}},
    ensure_ascii=False,
)
Spoil = Callable[[dict[str, str]], dict[str, str]]


@pytest.fixture(autouse=True)
def noon() -> Any:
    with time_machine.travel(NOW, tick=False):
        yield


def sent(body: str = BODY, secret: str = SECRET, at: datetime = NOW) -> dict[str, str]:
    """The headers that this server sends with a message."""
    return posting.headers(Delivery(body=body), secret, at)


def is_taken(headers: dict[str, str], body: bytes | str = BODY) -> bool:
    """Whether this package accepts the message; the standard package must agree."""
    try:
        verify(headers, body, SECRET)
    except Unverified:
        with pytest.raises((WebhookVerificationError, ValueError)):
            Signer(SECRET).verify(body, headers)
        return False
    assert Signer(SECRET).verify(body, headers) == json.loads(body)
    return True


def test_a_message_signed_by_the_server_is_accepted() -> None:
    headers = sent()
    message = verify(headers, BODY.encode(), SECRET)
    assert (message.id, message.type, message.timestamp) == (headers["webhook-id"], "your_turn", NOW)
    assert message.data == {"name": "Zoë's 🚂", "seat": 0}
    assert is_taken(headers)


@given(st.text(max_size=200).map(lambda name: json.dumps({"name": name})), st.binary(min_size=1, max_size=64))
def test_signatures_equal_those_of_the_standard_package(body: str, key: bytes) -> None:
    secret = base64.b64encode(key).decode()
    content = json.dumps({"type": "test", "timestamp": "2026-11-30T12:00:00Z", "data": json.loads(body)})
    headers = {
        "Webhook-Id": "one",
        "Webhook-Timestamp": str(int(NOW.timestamp())),
        "Webhook-Signature": Signer(secret).sign("one", NOW, content),
    }
    assert verify(headers, content, secret).data == json.loads(body)
    assert verify(headers, content, f"whsec_{secret}").id == "one"


@pytest.mark.parametrize(
    "spoil",
    [
        lambda headers: headers | {"webhook-id": "another"},
        lambda headers: headers | {"webhook-timestamp": str(int(headers["webhook-timestamp"]) + 1)},
        lambda headers: headers | {"webhook-signature": headers["webhook-signature"].removeprefix("v1,")},
        lambda headers: headers | {"webhook-signature": "v1,"},
        lambda headers: headers | {"webhook-signature": headers["webhook-signature"].replace("v1,", "v1a,")},
        lambda headers: headers | {"webhook-signature": "v1,\udcff\u00e9"},
        lambda headers: headers | {"webhook-timestamp": "noon"},
        lambda headers: headers | {"webhook-timestamp": "-1"},
        lambda headers: headers | {"webhook-timestamp": "9" * 5000},
        *[
            lambda headers, gone=gone: {name: value for name, value in headers.items() if name != gone}
            for gone in ("webhook-id", "webhook-timestamp", "webhook-signature")
        ],
    ],
)
def test_a_message_with_a_wrong_or_missing_header_is_refused(spoil: Spoil) -> None:
    assert not is_taken(spoil(sent()))


def test_another_body_or_another_secret_is_refused() -> None:
    assert not is_taken(sent(), BODY.replace('"seat": 0', '"seat": 1'))
    assert not is_taken(sent(secret=OTHER))


@pytest.mark.parametrize(("seconds", "taken"), [(-301, False), (-300, True), (0, True), (300, True), (301, False)])
def test_five_minutes_to_either_side_are_allowed(seconds: int, taken: bool) -> None:
    assert is_taken(sent(at=NOW + timedelta(seconds=seconds))) is taken


def test_a_receiver_may_allow_less() -> None:
    with pytest.raises(Unverified, match="too far from now"):
        verify(sent(at=NOW - timedelta(seconds=11)), BODY, SECRET, tolerance=10)


def test_one_good_signature_among_several_is_enough() -> None:
    headers, other = sent(), sent(secret=OTHER)["webhook-signature"]
    signatures = f"v1a,c29tZXRoaW5n {other} {headers['webhook-signature']}"
    assert is_taken(headers | {"webhook-signature": signatures})
    assert not is_taken(headers | {"webhook-signature": f"{other} {other}"})


def test_headers_are_taken_as_a_web_framework_has_them() -> None:
    header = Header()
    for name, value in sent().items():
        header[name.title()] = value
    assert verify(dict(header.items()), BODY.encode(), SECRET).type == "your_turn"


@pytest.mark.parametrize("secret", ["", "whsec_", "whsec_not base64", "whsec_é"])
def test_a_text_that_is_not_a_secret_raises_an_error(secret: str) -> None:
    with pytest.raises(ValueError, match=r"not a webhook.s secret"):
        verify(sent(), BODY, secret)


@pytest.mark.parametrize("body", ["", "[]", "{}", '{"type": "test", "timestamp": "noon", "data": {}}'])
def test_a_signed_body_that_is_not_a_message_is_an_error(body: str) -> None:
    with pytest.raises(BadAnswer):
        verify(sent(body), body, SECRET)
