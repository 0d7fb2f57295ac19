"""One stream for all tables where a player sits."""

import json
import time
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from struct import Struct
from uuid import UUID

from django.http import StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.utils import timezone
from django.utils.translation import gettext
from rest_framework.exceptions import APIException, ValidationError
from rest_framework.request import Request

from players.tokens import BearerAuthentication
from rest.bodies import validated
from rest.refusing import NO_TOKEN, refuses
from rest.texts import operation
from tables import my_tables
from tables.api import fields, waiting
from tables.api.stream_answers import MY_EVENT
from tables.api.views import TableCall
from tables.api.waiting import BEAT, CROWDED, EVENTS, HEADERS, TOO_MANY_STREAMS, Ended, EventStream, Stream
from tables.my_tables import MyTable
from tables.watchers import ListWatcher
from tables.watching import TOWER, Crowded

ID_BYTES = 6
"""So much of a table's id is enough to tell a player's tables apart."""
ENTRY, MOMENT = Struct(f">{ID_BYTES}sI"), Struct(">I")
MOST_IN_ID = 500
"""Tables that an id remembers, so that a header can hold it. After a resume others come even if nothing has changed."""
IN_DOUBT = timedelta(minutes=2)
"""A change that is this old is committed, and every server's clock agrees that it is in the past."""


@dataclass
class Known:
    """What a client knows: the version of each table, and from when on other tables are to be told."""

    at: datetime
    versions: dict[bytes, int] = field(default_factory=dict)

    def learn(self, table: MyTable) -> bool:
        """Whether this is news."""
        key = table.id.bytes[:ID_BYTES]
        is_news = self.versions.get(key) != table.version
        self.versions[key] = table.version
        return is_news

    @property
    def text(self) -> str:
        """All this as the id of an event."""
        latest = list(self.versions.items())[-MOST_IN_ID:]
        packed = MOMENT.pack(int(self.at.timestamp())) + b"".join(ENTRY.pack(*entry) for entry in latest)
        return urlsafe_b64encode(packed).decode().rstrip("=")


def known_from(text: str) -> Known:
    """Raises ``ValueError`` for a text that is no id of ours."""
    packed = urlsafe_b64decode(text + "=" * (-len(text) % 4))
    if (len(packed) - MOMENT.size) % ENTRY.size or not text.isascii():
        raise ValueError(text)
    (moment,) = MOMENT.unpack_from(packed)
    entries = ENTRY.iter_unpack(packed[MOMENT.size :])
    return Known(datetime.fromtimestamp(moment, UTC), dict(entries))


class MyEventsView(TableCall):
    renderer_classes = (EventStream,)

    @operation(
        "my_events",
        "Follow all tables where the caller sits, as server-sent events",
        (
            "An event `table` tells that one of them has changed, and how it is now: its version, its status and "
            "whether it is the caller's turn. Tables that the caller joins later are among them. The `id` is opaque. "
            "With `last_event_id`, or the header `Last-Event-ID` that an `EventSource` sends when it comes back, each "
            "table that has changed since comes once, as it is now; without, what happens from now on. The last event "
            "is `end`, with a reason."
        ),
        parameters=[fields.MyEventsFilterSerializer],
        responses={(200, EVENTS): MY_EVENT},
    )
    @refuses(NO_TOKEN, TOO_MANY_STREAMS, CROWDED)
    def get(self, request: Request) -> HttpResponseBase:
        player, known = self.player, known_of(request)
        if request.method == "HEAD":  # a server would go through the whole stream, and send nothing of it
            return StreamingHttpResponse(content_type=EVENTS, headers=HEADERS)
        try:
            stream = MyStream(self, player.pk, known)
        except Crowded as crowded:
            raise waiting.turned_away(crowded) from crowded
        return StreamingHttpResponse(stream, content_type=EVENTS, headers=HEADERS)


def known_of(request: Request) -> Known | None:
    """What a client that comes back knows. Raises ``ValidationError`` for an id that no stream has given."""
    asked = validated(fields.MyEventsFilterSerializer, request.query_params).get("last_event_id", "")
    text = request.headers.get("Last-Event-ID", "").strip() or asked
    try:
        return known_from(text) if text else None
    except (ValueError, OverflowError) as wrong:
        not_ours = gettext("This event id does not belong to this stream.")
        raise ValidationError({"Last-Event-ID": not_ours}) from wrong


class MyStream(Stream):
    """What one player is sent about all their tables. Raises ``Crowded``."""

    watcher: ListWatcher

    def __init__(self, call: TableCall, player: UUID, known: Known | None) -> None:
        self.call, self.player = call, player
        self.looks_at = time.monotonic() + waiting.LOOKS_EVERY
        self.watcher = self.enter(TOWER.watching_lists([player], str(player), {}))
        self.watcher.tell_to_look()
        self.known, self.is_new = known or Known(timezone.now()), known is None

    def news(self) -> Iterator[bytes]:
        """Each table that has changed since the last time, as it is now. Raises ``Ended``."""
        if time.monotonic() >= self.looks_at:
            self.look()
            self.watcher.tell_to_look()  # for messages that were lost
        changed = self.watcher.news()
        if self.watcher.takes_doubt():  # asked after the news, so that no waking is lost
            self.look()
        if changed is None:
            yield from self.everything_new()
        elif changed:
            yield from self.told(my_tables.among(self.player, changed))

    def everything_new(self) -> Iterator[bytes]:
        """The same after a look at all tables; a new stream learns from it what there is, and sends only its id."""
        before, self.known = self.known, Known(timezone.now())
        for table in list(my_tables.changing(self.player, before.at - IN_DOUBT)):
            self.known.learn(table)
            if before.learn(table) and not self.is_new:
                yield event_text(table, before)
        if self.is_new:
            self.is_new = False
            yield f"id: {self.known.text}\n\n".encode()

    def told(self, tables: Iterable[MyTable]) -> Iterator[bytes]:
        for table in list(tables):
            if self.known.learn(table):
                yield event_text(table, self.known)

    def wait(self) -> bool:
        return self.watcher.wait(BEAT)

    def look(self) -> None:
        """Whether the token still is one."""
        self.looks_at = time.monotonic() + waiting.LOOKS_EVERY
        try:
            BearerAuthentication().authenticate(self.call.request)
        except APIException as revoked:
            raise Ended("hidden") from revoked


def event_text(table: MyTable, known: Known) -> bytes:
    """A table as it is now; the id holds what the client knows once it has this."""
    data = {"table": str(table.id), "version": table.version, "your_turn": table.your_turn, "status": table.status}
    return f"id: {known.text}\nevent: table\ndata: {json.dumps(data)}\n\n".encode()
