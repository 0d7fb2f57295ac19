"""One attempt: what is sent, to which address, and how long the answer may take."""

import base64
import hashlib
import hmac
import socket
import time
from collections.abc import Callable
from datetime import datetime
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone

from tests.cases import slow_after
from tests.receiver import Receiver, receiving, status
from webhooks import posting
from webhooks.models import Delivery, Webhook
from webhooks.outbox import announce_test
from webhooks.posting import Result

Answering = Callable[[BaseHTTPRequestHandler], None]


@pytest.fixture
def delivery(webhook: dict[str, Any]) -> Delivery:
    return announce_test(Webhook.objects.get(pk=webhook["id"]), timezone.now())


def post(delivery: Delivery) -> Result:
    return posting.post(delivery, timezone.now())


def test_it_works(delivery: Delivery, receiver: Receiver, webhook: dict[str, Any]) -> None:
    at = timezone.now()
    assert posting.post(delivery, at) == Result(204)
    (told,) = receiver.told
    assert told.path == "/turns?of=alice"
    assert told.headers["host"] == receiver.host
    assert told.headers["content-type"] == "application/json"
    assert told.id == str(delivery.id)
    assert told.headers["webhook-timestamp"] == str(int(at.timestamp()))
    assert told.verified(webhook["secret"]) == {
        "type": "test",
        "timestamp": datetime.isoformat(delivery.created_at, timespec="milliseconds").replace("+00:00", "Z"),
        "data": {"webhook": webhook["id"]},
    }


def test_the_signature_is_that_of_standard_webhooks(
    delivery: Delivery, receiver: Receiver, webhook: dict[str, Any]
) -> None:
    post(delivery)
    (told,) = receiver.told
    key = base64.b64decode(webhook["secret"].removeprefix("whsec_"))
    signed = b".".join([told.id.encode(), told.headers["webhook-timestamp"].encode(), told.body])
    expected = base64.b64encode(hmac.digest(key, signed, hashlib.sha256)).decode()
    assert told.headers["webhook-signature"] == f"v1,{expected}"


@pytest.mark.parametrize("code", [200, 201, 204, 299])
def test_every_2xx_is_a_success(delivery: Delivery, receiver: Receiver, code: int) -> None:
    receiver.answers.append(status(code))
    assert post(delivery) == Result(code)


@pytest.mark.parametrize("code", [300, 301, 302, 303, 307, 308])
def test_a_redirect_is_not_followed(delivery: Delivery, receiver: Receiver, code: int) -> None:
    receiver.answers.append(status(code, Location=receiver.url))
    assert post(delivery) == Result(code, "refused")
    assert len(receiver.told) == 1


@pytest.mark.parametrize("code", [400, 401, 404, 410, 429, 500, 503])
def test_anything_else_is_a_refusal(delivery: Delivery, receiver: Receiver, code: int) -> None:
    receiver.answers.append(status(code))
    assert post(delivery) == Result(code, "refused")


def test_no_proxy_of_the_environment_is_used(
    delivery: Delivery, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    assert post(delivery) == Result(204)


# To where it is sent


@pytest.mark.parametrize("inside", ["127.0.0.1", "::1", "169.254.169.254", "::ffff:127.0.0.1"])
def test_nothing_is_sent_to_a_name_that_now_has_a_private_address(
    delivery: Delivery, receiver: Receiver, settings: Any, inside: str
) -> None:
    settings.WEBHOOK_TEST_RECEIVERS = []
    assert posting.post(delivery, timezone.now(), lambda *_: [inside]) == Result(None, "not_public")
    assert receiver.told == []


def test_each_attempt_looks_the_name_up_once(delivery: Delivery, receiver: Receiver) -> None:
    answers = [["127.0.0.1"], ["192.0.2.1"]]
    assert posting.post(delivery, timezone.now(), lambda *_: answers.pop(0)) == Result(204)
    assert answers == [["192.0.2.1"]]


def test_the_connection_uses_the_address_that_was_checked(
    delivery: Delivery, tmp_path: Path, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The name leads nowhere by itself; certificate and ``Host`` are the name's."""
    with receiving(tmp_path, "turns.invalid") as named:
        host = f"turns.invalid:{named.port}"
        settings.WEBHOOK_TEST_RECEIVERS = [host]
        monkeypatch.setenv("SSL_CERT_FILE", str(named.authority))
        delivery.webhook.url = f"https://{host}/"
        assert posting.post(delivery, timezone.now(), lambda *_: ["127.0.0.1"]) == Result(204)
        assert named.told[0].headers["host"] == host


def test_the_next_address_is_tried_if_one_does_not_answer(delivery: Delivery, receiver: Receiver) -> None:
    assert posting.post(delivery, timezone.now(), lambda *_: ["127.0.0.3", "127.0.0.1"]) == Result(204)


def test_a_name_that_is_not_found(delivery: Delivery) -> None:
    def resolve(host: str, port: int) -> list[str]:
        raise socket.gaierror(socket.EAI_NONAME, "unknown")

    assert posting.post(delivery, timezone.now(), resolve) == Result(None, "unresolved")


def test_a_port_without_a_server_is_a_failure(delivery: Delivery) -> None:
    assert posting.post(delivery, timezone.now(), lambda *_: ["127.0.0.3"]) == Result(None, "no_answer")


def test_a_certificate_of_an_unknown_authority_is_refused(
    delivery: Delivery, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SSL_CERT_FILE")
    assert post(delivery) == Result(None, "bad_certificate")
    assert receiver.told == []


def test_a_certificate_for_another_name_is_refused(
    delivery: Delivery, tmp_path: Path, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    with receiving(tmp_path, "example.org") as other:
        settings.WEBHOOK_TEST_RECEIVERS = [other.host]
        monkeypatch.setenv("SSL_CERT_FILE", str(other.authority))
        delivery.webhook.url = other.url
        assert post(delivery) == Result(None, "bad_certificate")
        assert other.told == []


# Time limits


def silent(receiver: Receiver) -> Answering:
    def answer(request: BaseHTTPRequestHandler) -> None:
        receiver.ended.wait(10)

    return answer


def dripping(receiver: Receiver, first: bytes, drop: bytes) -> Answering:
    """Sends a byte from time to time, and never ends."""

    def answer(request: BaseHTTPRequestHandler) -> None:
        request.wfile.write(first)
        while not receiver.ended.wait(0.05):
            request.wfile.write(drop)

    return answer


OK = b"HTTP/1.1 200 OK\r\n"
SLOW: dict[str, Callable[[Receiver], Answering]] = {
    "nothing is said": silent,
    "headers without end": lambda receiver: dripping(receiver, OK + b"X: ", b"y"),
    "headers one by one": lambda receiver: dripping(receiver, OK, b"X: y\r\n"),
    "a body without end": lambda receiver: dripping(receiver, OK + b"\r\n", b"y"),
    "a body that is promised": lambda receiver: dripping(receiver, OK + b"Content-Length: 9999\r\n\r\n", b"y"),
    "chunks without end": lambda receiver: dripping(
        receiver, OK + b"Transfer-Encoding: chunked\r\n\r\n", b"1\r\ny\r\n"
    ),
    "continue, continue": lambda receiver: dripping(receiver, b"", b"HTTP/1.1 100 Continue\r\n\r\n"),
}


@pytest.mark.parametrize("how", slow_after(2, SLOW))
def test_a_slow_receiver_times_out(
    delivery: Delivery, receiver: Receiver, how: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(posting, "PATIENCE", 0.5)
    receiver.answers.append(SLOW[how](receiver))
    begun = time.monotonic()
    result = post(delivery)
    assert time.monotonic() - begun < 3
    assert result.failure == "too_slow"


def test_a_receiver_without_a_tls_handshake_times_out(
    delivery: Delivery, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(posting, "PATIENCE", 0.5)
    with socket.create_server(("127.0.0.1", 0)) as mute:
        host = f"localhost:{mute.getsockname()[1]}"
        settings.WEBHOOK_TEST_RECEIVERS = [host]
        delivery.webhook.url = f"https://{host}/"
        begun = time.monotonic()
        assert posting.post(delivery, timezone.now(), lambda *_: ["127.0.0.1"]) == Result(None, "too_slow")
        assert time.monotonic() - begun < 3


def raw(words: bytes) -> Answering:
    def answer(request: BaseHTTPRequestHandler) -> None:
        request.wfile.write(words)

    return answer


@pytest.mark.parametrize(
    "words",
    [
        *(b"", b"\r\n", b"nonsense\r\n\r\n", b"HTTP/1.1 abc\r\n\r\n", b"HTTP/1.1 99999 x\r\n\r\n", b"\xff" * 100_000),
        *(OK + b"X: y\r\n" * 500 + b"\r\n", OK + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n"),
    ],
)
def test_an_invalid_answer_is_a_failure(delivery: Delivery, receiver: Receiver, words: bytes) -> None:
    receiver.answers.append(raw(words))
    assert post(delivery) == Result(None, "no_answer")


def test_a_long_answer_is_not_read_to_its_end(delivery: Delivery, receiver: Receiver) -> None:
    sent: list[int] = []

    def endless(request: BaseHTTPRequestHandler) -> None:
        request.wfile.write(OK + b"\r\n")
        while not receiver.ended.is_set():
            sent.append(request.wfile.write(b"x" * 65536))

    receiver.answers.append(endless)
    assert post(delivery) == Result(200)
    assert sum(sent) < 64 * 1024 * 1024
