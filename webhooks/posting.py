"""One signed message to one address: looked up, connected to as looked up, and done within seconds.

What the standard library does here is what is wanted: it follows no redirect, knows no proxy of the environment, and
sends to the connection that it is given.
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
"""Seconds for everything after the look-up, however slowly the receiver speaks."""
TO_CONNECT = 2.0
"""Seconds for each of a name's addresses."""
MOST_READ = 64 * 1024
AGENT = "mexican-train-webhooks/1"


class Failure(StrEnum):
    """Why nothing was delivered; a bad address has codes of its own."""

    NO_ANSWER = "no_answer"
    TOO_SLOW = "too_slow"
    BAD_CERTIFICATE = "bad_certificate"
    REFUSED = "refused"
    RECEIVER_BUSY = "receiver_busy"


@dataclass(frozen=True, slots=True)
class Result:
    """What came of an attempt: the receiver's status if it answered, and why it failed (empty if it did not).

    ``wait`` is after how many seconds to try, if there was no attempt because the host has reached its limit.
    """

    status: int | None
    failure: str = ""
    wait: float = 0


def post(delivery: Delivery, at: datetime, resolve: Resolve = look_up) -> Result:
    """Send a message to its webhook's address, signed for this attempt. Raises nothing that a receiver could cause."""
    webhook = delivery.webhook
    try:
        target = target_of(webhook.url, resolve)
    except BadAddress as bad:
        return Result(None, bad.code)
    if wait := receivers.seconds_to_wait(target):
        return Result(None, Failure.RECEIVER_BUSY, wait)
    end = monotonic() + PATIENCE
    try:
        status = answered(target, delivery.body, headers(delivery, webhook.secret, at), end)
    except ssl.SSLCertVerificationError:
        return Result(None, Failure.BAD_CERTIFICATE)
    except (OSError, HTTPException, ValueError):  # the last, too: what a shut connection gives depends on the moment
        return Result(None, Failure.TOO_SLOW if monotonic() >= end else Failure.NO_ANSWER)
    if monotonic() >= end:
        return Result(status, Failure.TOO_SLOW)  # cut off: what has been read may be half of what was to be said
    return Result(status, "" if 200 <= status < 300 else Failure.REFUSED)


def headers(delivery: Delivery, secret: str, at: datetime) -> dict[str, str]:
    """Standard Webhooks: the id stays, the time is that of the attempt, and both are signed with the body."""
    return {
        "Content-Type": "application/json",
        "User-Agent": AGENT,
        "webhook-id": str(delivery.id),
        "webhook-timestamp": str(int(at.timestamp())),
        "webhook-signature": Signer(secret).sign(str(delivery.id), at, delivery.body),
    }


def answered(target: Target, body: str, sent: dict[str, str], end: float) -> int:
    """The status that the receiver answers with. Its words are read, so that it can say them, and thrown away."""
    with connected(target, end) as tls:
        connection = HTTPConnection(target.host, target.port)
        connection.sock = tls  # so that it makes none of its own, to wherever the name leads now
        connection.request("POST", target.path, body.encode(), {"Host": target.authority, "Connection": "close"} | sent)
        answer = connection.getresponse()
        answer.read(MOST_READ)
        return answer.status


@contextmanager
def connected(target: Target, end: float) -> Iterator[ssl.SSLSocket]:
    """A connection to one of the addresses that were looked up, with the certificate of the name. Shut at the end."""
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
    """End whatever waits for this connection. Not by TLS's own ``shutdown``, which takes the session away under it."""
    with suppress(OSError):
        socket.socket.shutdown(tls, socket.SHUT_RDWR)
