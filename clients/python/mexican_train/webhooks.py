"""Verifies and reads the messages that arrive at a webhook. They are signed as Standard Webhooks specifies."""

from __future__ import annotations

import base64
import binascii
import hmac
import json
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from mexican_train.answers import Answer
from mexican_train.errors import BadAnswer, Unverified
from mexican_train.reading import Unreadable, one

TOLERANCE = 300
"""How many seconds the time of a message may differ from the receiver's clock."""
PREFIX = "whsec_"


@dataclass(frozen=True, kw_only=True)
class Message(Answer):
    """A message to a webhook. The same ``id`` may arrive twice; ignore the second one."""

    id: str
    type: Literal["your_turn", "table_finished", "test"]
    timestamp: datetime
    data: Mapping[str, Any]


def verify(headers: Mapping[str, str], body: bytes | str, secret: str, tolerance: float = TOLERANCE) -> Message:
    """Return the message of a request. Pass ``body`` exactly as it arrived.

    Raises ``Unverified`` if the message was not signed with the webhook's ``secret``, or if its time differs from now
    by more than ``tolerance`` seconds. Raises ``BadAnswer`` if the body is not a message.
    """
    key = key_of(secret)
    received = {name.lower(): value for name, value in headers.items()}
    id, timestamp, signatures = (received.get(f"webhook-{name}", "") for name in ("id", "timestamp", "signature"))
    content = body.encode() if isinstance(body, str) else body
    if not id:
        raise Unverified("The webhook-id is missing.")
    check_time(timestamp, tolerance)
    signed = b".".join([id.encode(errors="replace"), timestamp.encode(), content])
    if not is_among(base64.b64encode(hmac.digest(key, signed, "sha256")), signatures):
        raise Unverified("No signature is of this secret.")
    return message_of(id, content)


def key_of(secret: str) -> bytes:
    try:
        key = base64.b64decode(secret.removeprefix(PREFIX), validate=True)
    except (ValueError, binascii.Error):
        key = b""
    if not key:
        raise ValueError("This is not a webhook's secret: it must be whsec_ and a base64 text.")
    return key


def check_time(timestamp: str, tolerance: float) -> None:
    if not re.fullmatch("[0-9]{1,15}", timestamp):
        raise Unverified("The webhook-timestamp is not a number of seconds.")
    if abs(time.time() - int(timestamp)) > tolerance:
        raise Unverified("The webhook-timestamp is too far from now.")


def is_among(expected: bytes, signatures: str) -> bool:
    """Whether one of the signatures is the expected one, compared in constant time. Other versions are ignored."""
    versioned = [each.partition(",") for each in signatures.split(" ")]
    given = [signature.encode(errors="replace") for version, _, signature in versioned if version == "v1"]
    return any(hmac.compare_digest(expected, each) for each in given)


def message_of(id: str, content: bytes) -> Message:
    try:
        said = json.loads(content)
        if not isinstance(said, dict):
            raise Unreadable("a message is an object")
        return one(Message)({**said, "id": id})
    except ValueError as error:
        raise BadAnswer(f"The body is not a message of a webhook: {error}") from error
