"""What the API calls about tables share: loading the table, and exceptions of the rules as problems."""

from datetime import datetime
from typing import Any, ClassVar
from uuid import UUID

from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext_noop as N_
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from players.models import Player
from players.presence import touch
from players.tokens import token_digest, unknown_token
from rest.callers import needs_token
from rest.problems import NoToken, Unavailable
from rest.receipt import received_at
from rules.errors import BadOption, UnknownVersion
from tables import memory, refusals, repository
from tables.api import fields
from tables.models import Table
from tables.presenters.tables import TableAnswer, present_table


class TablesApiView(APIView):
    """A call about a table. Exceptions of the rules become problems.

    ``received_at`` is when the request arrived. Deadlines are compared with it.
    """

    path_meanings: ClassVar[dict[str, str]] = {"table_id": "The table's id."}
    received_at: datetime

    def initialize_request(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Request:
        """Copy ``META`` to DRF's request, which otherwise finds it only after a failed look-up, each time."""
        wrapped = super().initialize_request(request, *args, **kwargs)
        wrapped.META = request.META
        return wrapped

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        self.received_at = received_at(request)
        super().initial(request, *args, **kwargs)

    def handle_exception(self, exc: Exception) -> Response:
        return super().handle_exception(as_problem(exc))

    @property
    def player(self) -> Player:
        """The caller. Raises ``NoToken`` if there is no token."""
        player = caller_of(self.request)
        if player is None:
            raise NoToken
        return player

    def present(self, table: Table) -> TableAnswer:
        """Load the table again, and present it to the caller."""
        fresh = Table.objects.with_seats().get(pk=table.pk)
        caller = caller_of(self.request)
        return present_table(fresh, caller.pk if caller else None)

    def answer(self, table: Table, status: int = 200) -> Response:
        return Response(self.present(table), status)

    def made(self, table: Table) -> Response:
        """Answer with a new table and its ``Location``."""
        response = self.answer(table, 201)
        response.headers["Location"] = reverse("table", args=(table.pk,))
        return response


class VisibleTableApiView(TablesApiView):
    """A call that learns who the caller is, what they may see, and the table's version from one indexed query."""

    permission_classes = ()
    caller: repository.Caller
    table_id: UUID
    digest: str | None
    """The hash of the caller's token."""

    def perform_authentication(self, request: Request) -> None:
        """Do nothing: ``glance`` finds the player in the query that it runs anyway."""

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        self.check_caller()

    def check_caller(self) -> None:
        """Raise the refusal for this caller, if any, before anything else in the request is checked."""
        self.table_id = self.kwargs["table_id"]
        self.digest = token_digest(self.request)
        if self.digest is None and needs_token(self, self.request.method):
            raise NoToken
        self.look()

    def visible_table(self) -> Table:
        """Return the table with its seats and players. The caller may see it.

        Nobody may change the returned objects.
        """
        return memory.load_rows(self.table_id, self.caller.version)

    def look(self) -> None:
        """Load who the caller is, whether they may see the table, and its version.

        Raises ``AuthenticationFailed`` for an invalid token, and ``NotFound`` for a table that the caller may not see.
        """
        self.caller = repository.glance(self.table_id, self.digest)
        if not self.caller.is_known:
            raise unknown_token(self.request)
        if self.digest:
            touch(self.digest)
        if not self.caller.is_found:
            raise refusals.NotFound


def caller_of(request: Request) -> Player | None:
    return None if isinstance(request.user, AnonymousUser) else request.user


class RulesMissing(Unavailable):
    detail = N_("This server does not have the version of the rules that this table uses.")


def as_problem(exc: Exception) -> Exception:
    match exc:
        case BadOption():
            return fields.wrong_rules(exc)
        case UnknownVersion():
            return RulesMissing()
    return exc
