"""The tasks that workers were asked to do, as the broker holds them."""

import base64
import json
from typing import Any, cast

from django.conf import settings
from redis import Redis

from tables import schedule


def nudges(table: dict[str, Any]) -> list[int]:
    """The numbers at which this table was to be moved on, oldest first."""
    with Redis.from_url(settings.REDIS_URL) as redis:
        messages = [json.loads(text) for text in cast("list[bytes]", redis.lrange(schedule.BOTS, 0, -1))]
    asked = [json.loads(base64.b64decode(message["body"]))[0] for message in messages]
    return [number for table_id, number in reversed(asked) if table_id == table["id"]]
