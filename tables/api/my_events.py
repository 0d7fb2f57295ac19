"""The stream of events for all tables where a player sits."""

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
from rest.problems import NoToken, raises
from rest.texts import operation
from rest.throttles import address_of
from tables import player_tables
from tables.api import fields, waiting
from tables.api.stream_answers import MY_EVENT, MyTableEvent
from tables.api.views import TablesApiView
from tables.api.waiting import BEAT, EVENTS, HEADERS, Ended, EventStream, Stream
from tables.player_tables import PlayerTable
from tables.watchers import ListWatcher
from tables.watching import TOWER, Crowded, TooManyOfOne

ID_BYTES = 6
"""This many bytes of a table's id are enough to distinguish a player's tables."""
ENTRY, MOMENT = Struct(f">{ID_BYTES}sI"), Struct(">I")
MOST_IN_ID = 500
"""The number of tables that an event's id can hold, so that the id fits in a header.

After a resume, further tables are sent again even if they have not changed.
"""
IN_DOUBT = timedelta(minutes=2)
"""A change that is this old is committed, and is in the past by the clock of every server."""


@dataclass
class Known:
    """What a client knows: the version of each table, and the time from which changes of other tables are sent."""

    at: datetime
    versions: dict[bytes, int] = field(default_factory=dict)

    def learn(self, table: PlayerTable) -> bool:
        """Store the version of a table. Returns whether it is new to the client."""
        key = table.id.bytes[:ID_BYTES]
        is_news = self.versions.get(key) != table.version
        self.versions[key] = table.version
        return is_news

    @property
    def text(self) -> str:
        """What the client knows, encoded as the id of an event."""
        latest = list(self.versions.items())[-MOST_IN_ID:]
        packed = MOMENT.pack(int(self.at.timestamp())) + b"".join(ENTRY.pack(*entry) for entry in latest)
        return urlsafe_b64encode(packed).decode().rstrip("=")


def known_from(text: str) -> Known:
    """Decode the id of an event. Raises ``ValueError`` for any other text."""
    packed = urlsafe_b64decode(text + "=" * (-len(text) % 4))
    if (len(packed) - MOMENT.size) % ENTRY.size or not text.isascii():
        raise ValueError(text)
    (moment,) = MOMENT.unpack_from(packed)
    entries = ENTRY.iter_unpack(packed[MOMENT.size :])
    return Known(datetime.fromtimestamp(moment, UTC), dict(entries))


class MyEventsView(TablesApiView):
    renderer_classes = (EventStream,)

    @operation(
        "my_events",
        "Follow all tables where the caller sits, as server-sent events",
        (
            "An event `table` says that a table has changed, and has its current version, its status and whether it "
            "is the caller's turn. The stream includes tables that the caller joins later. The `id` is opaque. With "
            "`last_event_id`, or the header `Last-Event-ID` that an `EventSource` sends when it reconnects, the "
            "stream first sends the current state of each table that has changed since then, once. Without it, the "
            "stream sends only new changes. The last event is `end`, with a reason."
        ),
        parameters=[fields.MyEventsFilterSerializer],
        responses={(200, EVENTS): MY_EVENT},
    )
    @raises(NoToken, TooManyOfOne, Crowded)
    def get(self, request: Request) -> HttpResponseBase:
        player, known = self.player, known_of(request)
        if request.method == "HEAD":  # otherwise a server runs the whole stream and sends nothing
            return StreamingHttpResponse(content_type=EVENTS, headers=HEADERS)
        stream = MyStream(self, player.pk, known)
        return StreamingHttpResponse(stream, content_type=EVENTS, headers=HEADERS)


def known_of(request: Request) -> Known | None:
    """Return what a client that reconnects knows. Raises ``ValidationError`` for an id that no stream has sent."""
    asked = validated(fields.MyEventsFilterSerializer, request.query_params).get("last_event_id", "")
    text = request.headers.get("Last-Event-ID", "").strip() or asked
    try:
        return known_from(text) if text else None
    except (ValueError, OverflowError) as wrong:
        not_ours = gettext("This event id does not belong to this stream.")
        raise ValidationError({"Last-Event-ID": not_ours}) from wrong


class MyStream(Stream):
    """The events about all tables of one player. Raises ``Crowded``."""

    watcher: ListWatcher

    def __init__(self, call: TablesApiView, player: UUID, known: Known | None) -> None:
        self.call, self.player = call, player
        self.looks_at = time.monotonic() + waiting.LOOKS_EVERY
        self.watcher = self.enter(TOWER.watching_lists([player], str(player), {}, address_of(call.request)))
        self.watcher.wake_to_look()
        self.known, self.is_new = known or Known(timezone.now()), known is None

    def news(self) -> Iterator[bytes]:
        """Yield each table that has changed since the last call, as it is now. Raises ``Ended``."""
        if time.monotonic() >= self.looks_at:
            self.look()
            self.watcher.wake_to_look()  # in case a message was lost
        changed = self.watcher.news()
        if self.watcher.must_check_token():  # after ``news()``, so that no wake-up is lost
            self.look()
        if changed is None:
            yield from self.everything_new()
        elif changed:
            yield from self.events_of(player_tables.among(self.player, changed))

    def everything_new(self) -> Iterator[bytes]:
        """Load all the player's tables, and yield those that have changed.

        A new stream only stores their versions here, and yields nothing but its first id.
        """
        before, self.known = self.known, Known(timezone.now())
        for table in list(player_tables.changing(self.player, before.at - IN_DOUBT)):
            self.known.learn(table)
            if before.learn(table) and not self.is_new:
                yield event_text(table, before)
        if self.is_new:
            self.is_new = False
            yield f"id: {self.known.text}\n\n".encode()

    def events_of(self, tables: Iterable[PlayerTable]) -> Iterator[bytes]:
        for table in list(tables):
            if self.known.learn(table):
                yield event_text(table, self.known)

    def wait(self) -> bool:
        return self.watcher.wait(BEAT)

    def look(self) -> None:
        """Check that the token is still valid. Raises ``Ended`` if it is not."""
        self.looks_at = time.monotonic() + waiting.LOOKS_EVERY
        try:
            BearerAuthentication().authenticate(self.call.request)
        except APIException as revoked:
            raise Ended("hidden") from revoked


def event_text(table: PlayerTable, known: Known) -> bytes:
    """Return the event of a table as it is now. Its id encodes what the client knows after this event."""
    data: MyTableEvent = {
        "table": str(table.id),
        "version": table.version,
        "your_turn": table.your_turn,
        "status": table.status,
    }
    return f"id: {known.text}\nevent: table\ndata: {json.dumps(data)}\n\n".encode()
