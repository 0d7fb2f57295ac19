"""Lists of tables with an ``ETag``. An answer can be held until its list changes."""

import time
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from hashlib import sha256
from typing import TYPE_CHECKING, Annotated, ClassVar
from uuid import UUID

from django.db import close_old_connections
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request
from rest_framework.response import Response

from players.models import Player
from players.tokens import BearerAuthentication
from rest import working
from rest.bodies import validated
from rest.headers import etag_of
from rest.pages import MergedQuerysets, NewestFirst, Page
from rest.texts import described
from rest.throttles import address_of
from tables.api import fields
from tables.api.views import TablesApiView, caller_of
from tables.api.waiting import COME_BACK
from tables.models import Table
from tables.presenters.tables import MyTableAnswer, TableAnswer
from tables.watching import TOWER, Crowded

if TYPE_CHECKING:
    from django.db.models import QuerySet

HELD = (
    "The answer is 304 if the list has not changed since the `ETag` in `If-None-Match`. With `wait`, the server "
    "holds a 304 until the list changes, or for that many seconds."
)
WAITING = (
    OpenApiParameter("If-None-Match", str, OpenApiParameter.HEADER, description="The `ETag` of the last answer."),
    fields.WaitSerializer,
    etag_of("Send this as `If-None-Match` next time.", 200, 304),
)
LOOKS_EVERY = 30.0
"""Seconds after which a held list is checked again, even without a notification."""


@described("A page of the list of tables.")
class TablePage(Page):
    results: Annotated[list[TableAnswer], "The tables, newest first."]


@described("A page of the list of the caller's tables.")
class MyTablePage(Page):
    results: Annotated[list[MyTableAnswer], "The tables, newest first."]


class PageNow:
    """A page of a list as it is now. Its tag depends on its tables, their versions, its links and the caller.

    ``is_refused`` is set if the answer was to be held, and too many wait already.
    """

    is_refused = False

    def __init__(self, call: "TableListApiView", rows: "QuerySet[Table]") -> None:
        self.pages = NewestFirst()
        listed = call.listed(rows)
        self.tables: Sequence[Table] = self.pages.paginate_queryset(listed, call.request, call) or []  # type: ignore[arg-type]  # MergedQuerysets has what it needs
        self.versions = {table.pk: table.version for table in self.tables}
        caller, around = caller_of(call.request), (self.pages.get_next_link(), self.pages.get_previous_link())
        said = f"{caller and caller.pk} {around} {list(self.versions.items())}"
        self.tag = f'"{sha256(said.encode()).hexdigest()[:32]}"'

    def is_among(self, tags: str) -> bool:
        return tags.strip() == "*" or self.tag in tags

    @property
    def headers(self) -> dict[str, str]:
        return {"ETag": f"W/{self.tag}", "Cache-Control": "private, no-cache", "Vary": "Authorization"}


class TableListApiView(TablesApiView, ABC):
    """A call that answers with a page of tables, newest first."""

    watched: ClassVar[tuple[UUID, ...]] = ()
    """The keys that a list is watched under, besides the tables on its page and its caller."""

    @abstractmethod
    def listed(self, rows: "QuerySet[Table]") -> "QuerySet[Table] | MergedQuerysets":
        """Return the tables of the list, selected from ``rows``."""

    @abstractmethod
    def present_row(self, table: Table, caller: Player | None) -> TableAnswer:
        """Present a table of the page to this caller."""

    def page(self, request: Request) -> Response:
        """Return the page, or 304 if the caller has it already. ``wait`` says how long a 304 is held."""
        seconds = validated(fields.WaitSerializer, request.query_params)["wait"]
        validated(fields.PageSerializer, request.query_params)
        tags = request.headers.get("If-None-Match", "")
        if tags and (known := self.glance()).is_among(tags) and (known := self.held(known, seconds)).is_among(tags):
            return Response(status=304, headers=known.headers | (COME_BACK if known.is_refused else {}))
        found = PageNow(self, Table.objects.with_seats())
        answer = found.pages.get_paginated_response(
            [self.present_row(each, caller_of(request)) for each in found.tables]
        )
        for name, value in found.headers.items():
            answer.headers[name] = value
        return answer

    def glance(self) -> PageNow:
        """Return the page with only its tables' ids and versions, from one query."""
        return PageNow(self, Table.objects.only("version", "created_at"))

    def held(self, known: PageNow, seconds: float) -> PageNow:
        """Return the page once it changes or the time is over. If too many wait already, return at once."""
        ends = time.monotonic() + seconds
        if not seconds:
            return known
        try:
            keys, address = self.keys(known.versions), address_of(self.request)
            with TOWER.watching_lists(keys, self.waiting_caller, known.versions, address) as watcher:
                now = self.glance()
                while now.tag == known.tag and not watcher.is_last_call and (left := ends - time.monotonic()) > 0:
                    close_old_connections()  # waiting requests hold no connection
                    with working.PLACES.lent():
                        watcher.wait(min(left, LOOKS_EVERY))
                    watcher.news()
                    now = self.look()
                return now
        except Crowded:
            known.is_refused = True
            return known

    def look(self) -> PageNow:
        """Return the page now. Raises ``AuthenticationFailed`` if the token is no longer valid."""
        BearerAuthentication().authenticate(self.request)
        return self.glance()

    def keys(self, tables: Iterable[UUID]) -> list[UUID]:
        caller = caller_of(self.request)
        return [*tables, *self.watched, *([caller.pk] if caller else ())]

    @property
    def waiting_caller(self) -> str:
        """The player's id, or the address of a caller without a token."""
        caller = caller_of(self.request)
        return str(caller.pk) if caller else address_of(self.request)
