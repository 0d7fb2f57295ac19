"""API calls about players that need their tables."""

from typing import TYPE_CHECKING, ClassVar
from uuid import UUID

from django.utils import timezone
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response

from players.models import Player
from rest.bodies import validated
from rest.problems import NoToken, raises
from rest.texts import operation
from rest.throttles import CallerThrottle, ExportThrottle
from tables.api import fields
from tables.api.lists import HELD, WAITING, MyTablePage, TableListApiView
from tables.api.views import TablesApiView
from tables.export import ExportAnswer, export
from tables.models import Table
from tables.presenters.records import PlayerRecord, present_record
from tables.presenters.tables import MyTableAnswer, present_my_table

if TYPE_CHECKING:
    from django.db.models import QuerySet


class MyTablesView(TableListApiView):
    @operation(
        "my_tables",
        "List the tables where the caller sits, newest first, with whether it is their turn",
        HELD,
        parameters=[fields.TableFilterSerializer, fields.PageSerializer, *WAITING],
        responses={200: MyTablePage, 304: None},
    )
    @raises(NoToken)
    def get(self, request: Request) -> Response:
        self.wanted = {"seats__player": self.player, **validated(fields.TableFilterSerializer, request.query_params)}
        return self.page(request)

    def listed(self, rows: "QuerySet[Table]") -> "QuerySet[Table]":
        return rows.filter(**self.wanted)

    def present_row(self, table: Table, caller: Player | None) -> MyTableAnswer:
        assert caller is not None
        return present_my_table(table, caller)


class PlayerView(TablesApiView):
    path_meanings: ClassVar = {"player_id": "The player's id."}

    @operation("player", "Show a player, and their results in finished matches", responses=PlayerRecord)
    def get(self, request: Request, player_id: UUID) -> Response:
        player = Player.objects.filter(pk=player_id).first()
        if player is None:
            raise NotFound
        return Response(present_record(player))


class ExportView(TablesApiView):
    throttle_classes = (CallerThrottle, ExportThrottle)

    @operation(
        "export",
        "Export all stored data about the caller",
        "The answer has the tables with the addresses of their moves and records, the sessions, and the webhooks "
        "with their messages. It contains no secrets, and nothing about other players.",
        responses=ExportAnswer,
    )
    @raises(NoToken)
    def get(self, request: Request) -> Response:
        answer = export(self.player, request.auth, timezone.now())
        return Response(answer, headers={"Cache-Control": "private, no-store"})
