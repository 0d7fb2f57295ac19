"""Sends one signed message to a webhook: it resolves the name, connects to the resolved address, and posts.

The standard library's ``http.client`` is used because it follows no redirects, ignores proxies in the environment, and
accepts an existing connection.
"""

import socket
import ssl
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from http.client import HTTPConnection, HTTPException
from threading import Timer
from time import monotonic

from standardwebhooks import Webhook as Signer

from webhooks import receivers
from webhooks.addresses import BadAddress, Resolve, Target, look_up, target_of
from webhooks.models import Delivery

PATIENCE = 5.0
"""Seconds for everything after the look-up, even if the receiver answers slowly."""
TO_CONNECT = 2.0
"""Seconds for each of a name's addresses."""
MOST_READ = 64 * 1024
AGENT = "mexican-train-webhooks/1"


class Failure(StrEnum):
    """Why a message was not delivered. A bad address has its own codes."""

    NO_ANSWER = "no_answer"
    TOO_SLOW = "too_slow"
    BAD_CERTIFICATE = "bad_certificate"
    REFUSED = "refused"
    RECEIVER_BUSY = "receiver_busy"


@dataclass(frozen=True, slots=True)
class Result:
    """The result of an attempt: the receiver's status if it answered, and why it failed (empty if it did not).

    If no attempt was made because the host has reached its limit, ``wait`` is the seconds to wait.
    """

    status: int | None
    failure: str = ""
    wait: float = 0


def post(delivery: Delivery, at: datetime, resolve: Resolve = look_up) -> Result:
    """Send a message to its webhook's URL, signed for this attempt. Errors of the receiver are returned, not raised."""
    webhook = delivery.webhook
    try:
        target = target_of(webhook.url, resolve)
    except BadAddress as bad:
        return Result(None, bad.field_code)
    if wait := receivers.seconds_to_wait(target):
        return Result(None, Failure.RECEIVER_BUSY, wait)
    end = monotonic() + PATIENCE
    try:
        status = answered(target, delivery.body, headers(delivery, webhook.secret, at), end)
    except ssl.SSLCertVerificationError:
        return Result(None, Failure.BAD_CERTIFICATE)
    except (OSError, HTTPException, ValueError):  # a connection that was shut down may raise any of these
        return Result(None, Failure.TOO_SLOW if monotonic() >= end else Failure.NO_ANSWER)
    if monotonic() >= end:
        return Result(status, Failure.TOO_SLOW)  # the answer may be incomplete
    return Result(status, "" if 200 <= status < 300 else Failure.REFUSED)


def headers(delivery: Delivery, secret: str, at: datetime) -> dict[str, str]:
    """Return the headers of Standard Webhooks. The id is the message's, the time is the attempt's; both are signed."""
    return {
        "Content-Type": "application/json",
        "User-Agent": AGENT,
        "webhook-id": str(delivery.id),
        "webhook-timestamp": str(int(at.timestamp())),
        "webhook-signature": Signer(secret).sign(str(delivery.id), at, delivery.body),
    }


def answered(target: Target, body: str, sent: dict[str, str], end: float) -> int:
    """Send the request and return the status of the answer. The body is read, up to a limit, and ignored."""
    with connected(target, end) as tls:
        connection = HTTPConnection(target.host, target.port)
        connection.sock = tls  # otherwise it would connect itself and resolve the name again
        connection.request("POST", target.path, body.encode(), {"Host": target.authority, "Connection": "close"} | sent)
        answer = connection.getresponse()
        answer.read(MOST_READ)
        return answer.status


@contextmanager
def connected(target: Target, end: float) -> Iterator[ssl.SSLSocket]:
    """Open a TLS connection to one of the resolved addresses, verify its certificate, and shut it down at ``end``."""
    context = ssl.create_default_context()
    plain = first_that_answers(target, end)
    with context.wrap_socket(plain, server_hostname=target.host, do_handshake_on_connect=False) as tls:
        alarm = Timer(max(0.0, end - monotonic()), shut, (tls,))
        alarm.daemon = True
        alarm.start()
        try:
            tls.do_handshake()
            yield tls
        finally:
            alarm.cancel()


def first_that_answers(target: Target, end: float) -> socket.socket:
    failed = OSError("no address")
    for address in target.addresses:
        try:
            seconds = min(TO_CONNECT, end - monotonic())
            if seconds <= 0:
                break
            plain = socket.create_connection((address, target.port), seconds)
        except OSError as failure:
            failed = failure
        else:
            plain.settimeout(PATIENCE)
            return plain
    raise failed


def shut(tls: ssl.SSLSocket) -> None:
    """Shut down the socket, so that a thread that waits for it stops.

    Not with the method of ``SSLSocket``, which drops the TLS session while the other thread uses it.
    """
    with suppress(OSError):
        socket.socket.shutdown(tls, socket.SHUT_RDWR)
