"""Messages to workers: they have what Celery itself would write, so that any worker reads them."""

import base64
import json
from typing import Any

from celery import current_app

from runtime.redis_commands import tell_worker
from tests.brokers import unread

TASK, QUEUE = "tables.tasks.take_turn", "compared"
OF_ONE_MESSAGE = {"id", "root_id", "correlation_id", "delivery_tag", "eta", "reply_to"}
"""Keys whose values differ from message to message, or by who sends it."""


def plain(message: bytes | str) -> dict[str, Any]:
    """The message with the body as values, and without what only this message has."""
    sent = json.loads(message)
    sent["body"] = json.loads(base64.b64decode(sent["body"]))
    for part in ("headers", "properties"):
        sent[part] = {name: None if name in OF_ONE_MESSAGE else value for name, value in sent[part].items()}
    return sent  # type: ignore[no-any-return]


def test_a_message_is_the_one_that_celery_writes(db: None) -> None:
    with unread() as client:
        tell_worker(TASK, "a table", 7, otherwise="", queue=QUEUE)
        current_app.send_task(TASK, ("a table", 7), queue=QUEUE)
        celery, ours = map(plain, client.lrange(QUEUE, 0, -1))
        client.delete(QUEUE)
    assert ours == celery


def test_a_message_that_waits_says_until_when(db: None) -> None:
    with unread() as client:
        tell_worker(TASK, "a table", 7, otherwise="", queue=QUEUE, countdown=2)
        (message,) = client.lrange(QUEUE, 0, -1)
        client.delete(QUEUE)
    assert json.loads(message)["headers"]["eta"]
