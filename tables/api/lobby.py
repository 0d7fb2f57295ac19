"""Calls before, between and after matches."""

from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from rest.bodies import checked
from rest.headers import LOCATION
from rest.idempotency import idempotent
from rest.languages import Worded
from rest.pages import NewestFirst, Together
from rest.refusing import NO_TOKEN, refuses
from rest.throttles import InviteThrottle
from rules.bots import BOTS
from tables import lobby, refusals, seating, sight
from tables.api import answers, fields
from tables.api.views import TableCall, caller_of, with_seats
from tables.invites import invited_to
from tables.models import Table
from tables.telling import told

HOSTS_RIGHT = (NO_TOKEN, refusals.NotHost)
OVER = (refusals.TableFinished, refusals.TableCancelled)
SEAT_TO_TAKE = (refusals.NoSuchSeat, refusals.SeatTaken, refusals.TableFull, refusals.SeatForfeited)


class TablesView(TableCall):
    @extend_schema(
        operation_id="tables",
        parameters=[fields.TableFilterSerializer, fields.PageSerializer],
        responses=answers.TablePage,
    )
    def get(self, request: Request) -> Response:
        """Public tables and the caller's own, newest first, a page at a time."""
        checked(fields.PageSerializer(data=request.query_params))
        wanted = checked(fields.TableFilterSerializer(data=request.query_params))
        caller = caller_of(request)
        tables = Together(with_seats(Table.objects.all()), Table.objects.listed_for(caller)).filter(**wanted)
        pages = NewestFirst()
        page: list[Table] = pages.paginate_queryset(tables, request, self) or []  # type: ignore[arg-type]  # enough of one
        return pages.get_paginated_response([sight.table(each, caller) for each in page])

    @extend_schema(
        operation_id="open_table",
        parameters=[LOCATION],
        request=fields.OpenTableSerializer,
        responses={201: answers.TableAnswer},
    )
    @refuses(NO_TOKEN)
    @idempotent
    def post(self, request: Request) -> Response:
        """Open a table. The caller is its host and sits in seat 0, or in `host_seat`, or nowhere."""
        host = self.player
        given = checked(fields.OpenTableSerializer(data=request.data))
        bots = {bot["seat"]: bot["level"] for bot in given.pop("bots")}
        return self.made(lobby.open_table(host, bots=bots, **given))


class TableView(TableCall):
    @extend_schema(operation_id="table", responses=answers.TableAnswer)
    def get(self, request: Request, table_id: UUID) -> Response:
        """A table; its invite is there for members only."""
        return Response(sight.table(self.visible_table(table_id), caller_of(request)))

    @extend_schema(operation_id="change_table", request=fields.ChangeTableSerializer, responses=answers.TableAnswer)
    @refuses(*HOSTS_RIGHT, refusals.SeatTaken, refusals.TablePlaying, *OVER)
    def patch(self, request: Request, table_id: UUID) -> Response:
        """Change an open table: the host's right."""
        host = self.player
        given = checked(fields.ChangeTableSerializer(data=request.data))
        return self.answer(lobby.change_table(table_id, host, **given))


class InviteView(TableCall):
    throttle_classes = (InviteThrottle,)

    @extend_schema(operation_id="invitation", responses=answers.InvitationAnswer)
    @refuses(refusals.UnknownInvite)
    def get(self, request: Request, code: str) -> Response:
        """What an invite is to, before one sits down with it."""
        table = invited_to(code)
        if table is None:
            raise refusals.UnknownInvite
        return Response(
            sight.invitation(with_seats(Table.objects.select_related("host")).get(pk=table.pk), caller_of(request))
        )


class JoinView(TableCall):
    @extend_schema(operation_id="join", request=fields.JoinSerializer, responses=answers.JoinedAnswer)
    @refuses(NO_TOKEN, refusals.UnknownInvite, *SEAT_TO_TAKE, refusals.TablePlaying, *OVER)
    @idempotent
    def post(self, request: Request) -> Response:
        """Sit down with an invite, its code or its link. Again: the same seat."""
        caller = self.player
        given = checked(fields.JoinSerializer(data=request.data))
        taken = seating.join(given["invite"], caller, given.get("seat"))
        return Response({"table": self.answer(taken.table).data, "seat": taken.seat.number})


class SeatsView(TableCall):
    @extend_schema(
        operation_id="take_seat",
        request=fields.TakeSeatSerializer,
        responses={201: answers.JoinedAnswer, 200: answers.JoinedAnswer},
    )
    @refuses(NO_TOKEN, refusals.InviteNeeded, *SEAT_TO_TAKE, refusals.TablePlaying, *OVER)
    @idempotent
    def post(self, request: Request, table_id: UUID) -> Response:
        """Sit down, or come back to a seat that a bot has played meanwhile."""
        caller = self.player
        given = checked(fields.TakeSeatSerializer(data=request.data))
        taken = seating.take_seat(table_id, caller, given.get("seat"), given.get("invite"))
        body = {"table": self.answer(taken.table).data, "seat": taken.seat.number}
        return Response(body, 201 if taken.is_new else 200)


class SeatView(TableCall):
    @extend_schema(operation_id="leave_seat", responses={204: None})
    @refuses(NO_TOKEN, refusals.NotYourSeat, refusals.NoSuchSeat, refusals.TablePlaying, *OVER)
    @idempotent
    def delete(self, request: Request, table_id: UUID, number: int) -> Response:
        """Leave a seat, or as host empty one. In a match a bot plays on until the player is back."""
        seating.leave_seat(table_id, self.player, number)
        return Response(status=204)


class BotSeatView(TableCall):
    @extend_schema(operation_id="seat_bot", request=fields.BotLevelSerializer, responses=answers.TableAnswer)
    @refuses(*HOSTS_RIGHT, refusals.NoSuchSeat, refusals.SeatTaken, *OVER)
    def put(self, request: Request, table_id: UUID, number: int) -> Response:
        """Put a bot into an empty seat, or change the level of one that plays there: the host's right."""
        caller = self.player
        given = checked(fields.BotLevelSerializer(data=request.data))
        return self.answer(seating.seat_bot(table_id, caller, number, given["level"]))


class RenewInviteView(TableCall):
    @extend_schema(operation_id="renew_invite", request=None, responses=answers.TableAnswer)
    @refuses(*HOSTS_RIGHT, refusals.TablePlaying, *OVER)
    @idempotent
    def post(self, request: Request, table_id: UUID) -> Response:
        """Another invite code for an open table: the host's right. From now on nobody sits down with the old one."""
        return self.answer(lobby.renew_invite(table_id, self.player))


class StartView(TableCall):
    @extend_schema(operation_id="start", request=None, responses=answers.TableAnswer)
    @refuses(*HOSTS_RIGHT, refusals.SeatsEmpty, refusals.TableCancelled)
    def post(self, request: Request, table_id: UUID) -> Response:
        """Deal the first round: the host's right, once every seat is filled. Again: nothing changes."""
        return self.answer(lobby.start_match(table_id, self.player))


class CancelView(TableCall):
    @extend_schema(operation_id="cancel", request=None, responses=answers.TableAnswer)
    @refuses(*HOSTS_RIGHT, refusals.TableFinished)
    def post(self, request: Request, table_id: UUID) -> Response:
        """End the table without a winner: the host's right."""
        return self.answer(lobby.cancel(table_id, self.player))


class RematchView(TableCall):
    @extend_schema(
        operation_id="rematch",
        parameters=[LOCATION],
        request=None,
        responses={201: answers.TableAnswer, 200: answers.TableAnswer},
    )
    @refuses(NO_TOKEN, refusals.NotAtTable, refusals.TableOpen, refusals.TablePlaying, refusals.TableCancelled)
    @idempotent
    def post(self, request: Request, table_id: UUID) -> Response:
        """The one next table, same seats and options; whoever asks first is its host."""
        following, is_new = lobby.rematch(table_id, self.player)
        return self.made(following) if is_new else self.answer(following)


class BotsView(TableCall):
    @extend_schema(operation_id="bots", responses=answers.BotAnswer(many=True))
    def get(self, request: Request) -> Response:
        """The levels that bots play at."""
        return Worded(
            [{"level": bot.level, "likes": told(bot.likes), "typical_ms": bot.typical_ms} for bot in BOTS.values()]
        )
