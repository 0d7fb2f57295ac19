"""Calls about players that need to know where they sit."""

from uuid import UUID

from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response

from players.models import Player
from rest.bodies import checked
from rest.pages import NewestFirst
from rest.refusing import NO_TOKEN, refuses
from rest.texts import operation
from tables import sight
from tables.api import answers, fields
from tables.api.views import TableCall, with_seats
from tables.models import Table


class MyTablesView(TableCall):
    @operation(
        "my_tables",
        "The tables where the caller sits, newest first, and whether it is their turn",
        parameters=[fields.TableFilterSerializer, fields.PageSerializer],
        responses=answers.MyTablePage,
    )
    @refuses(NO_TOKEN)
    def get(self, request: Request) -> Response:
        caller = self.player
        checked(fields.PageSerializer(data=request.query_params))
        wanted = checked(fields.TableFilterSerializer(data=request.query_params))
        pages = NewestFirst()
        tables = with_seats(Table.objects.filter(seats__player=caller, **wanted))
        page = pages.paginate_queryset(tables, request, self) or []
        shown = [sight.table(each, caller) | {"your_turn": sight.is_turn_of(each, caller)} for each in page]
        return pages.get_paginated_response(shown)


class PlayerView(TableCall):
    @operation(
        "player", "A player, and how they have done in matches played to the end", responses=answers.PlayerRecord
    )
    def get(self, request: Request, player_id: UUID) -> Response:
        player = Player.objects.filter(pk=player_id).first()
        if player is None:
            raise NotFound
        return Response(sight.record_of(player))
