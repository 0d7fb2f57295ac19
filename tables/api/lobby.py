"""API calls before, between and after matches."""

from typing import TYPE_CHECKING, ClassVar
from uuid import UUID

from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import BaseThrottle

from players.models import Player
from rest.bodies import validated
from rest.headers import LOCATION
from rest.idempotency import idempotent
from rest.languages import TranslatedResponse
from rest.pages import MergedQuerysets
from rest.problems import NoToken, raises
from rest.texts import operation
from rest.throttles import TableThrottle
from tables import refusals
from tables.api import fields
from tables.api.lists import HELD, WAITING, TableListApiView, TablePage
from tables.api.views import TablesApiView, VisibleTableApiView, caller_of
from tables.guessing import codes_tried
from tables.invites import invited_to
from tables.lobby import ending, opening, rematch, seating, starting
from tables.models import Table
from tables.presenters.bots import BotAnswer, present_bots
from tables.presenters.tables import (
    InvitationAnswer,
    JoinedAnswer,
    TableAnswer,
    present_invitation,
    present_table,
)
from tables.watching import LOBBY

if TYPE_CHECKING:
    from django.db.models import QuerySet

HOSTS_RIGHT = (NoToken, refusals.NotHost)
OVER = (refusals.TableFinished, refusals.TableCancelled)
WRONG_CODE = (refusals.UnknownInvite, refusals.InviteNeeded, refusals.NotFound)
SEAT_TO_TAKE = (
    *(refusals.NoSuchSeat, refusals.SeatTaken, refusals.TableFull, refusals.SeatForfeited, refusals.RemovedByHost),
)


class TablesView(TableListApiView):
    watched = (LOBBY,)

    def get_throttles(self) -> list[BaseThrottle]:
        return [*super().get_throttles(), *([TableThrottle()] if self.request.method == "POST" else [])]

    @operation(
        "tables",
        "List public tables and the caller's own, newest first, a page at a time",
        HELD,
        parameters=[fields.TableFilterSerializer, fields.PageSerializer, *WAITING],
        responses={200: TablePage, 304: None},
    )
    def get(self, request: Request) -> Response:
        self.wanted = validated(fields.TableFilterSerializer, request.query_params)
        return self.page(request)

    def listed(self, rows: "QuerySet[Table]") -> MergedQuerysets:
        return MergedQuerysets(rows, Table.objects.listed_for(caller_of(self.request))).filter(**self.wanted)

    def present_row(self, table: Table, caller: Player | None) -> TableAnswer:
        return present_table(table, caller.pk if caller else None)

    @operation(
        "open_table",
        "Open a table",
        "The caller becomes its host and sits in `host_seat`, which is 0 by default; with `null` the host does not "
        "play.",
        parameters=[LOCATION],
        request=fields.OpenTableSerializer,
        responses={201: TableAnswer},
    )
    @raises(NoToken, refusals.TooManyOpenTables)
    @idempotent
    def post(self, request: Request) -> Response:
        host = self.player
        given = validated(fields.OpenTableSerializer, request.data)
        bots = {bot["seat"]: bot["level"] for bot in given.pop("bots")}
        return self.made(opening.open_table(host, bots=bots, **given))


class TableView(VisibleTableApiView):
    @operation("table", "Show a table; members also see its invite", responses=TableAnswer)
    def get(self, request: Request, table_id: UUID) -> Response:
        return Response(present_table(self.visible_table(), self.caller.player))

    @operation(
        "change_table",
        "Change an open table",
        "Only the host may do this.",
        request=fields.ChangeTableSerializer,
        responses=TableAnswer,
    )
    @raises(*HOSTS_RIGHT, refusals.SeatTaken, refusals.TablePlaying, *OVER)
    def patch(self, request: Request, table_id: UUID) -> Response:
        host = self.player
        given = validated(fields.ChangeTableSerializer, request.data)
        return self.answer(opening.change_table(table_id, host, **given))


class InviteView(TablesApiView):
    path_meanings: ClassVar = {"code": "The code of the invite."}

    @operation("invitation", "Show the table of an invite before you take a seat", responses=InvitationAnswer)
    @raises(refusals.UnknownInvite)
    def get(self, request: Request, code: str) -> Response:
        with codes_tried(request, caller_of(request), code, WRONG_CODE):
            table = invited_to(code)
            if table is None:
                raise refusals.UnknownInvite
        return Response(
            present_invitation(Table.objects.with_seats().select_related("host").get(pk=table.pk), caller_of(request))
        )


class JoinView(TablesApiView):
    @operation(
        "join",
        "Take a seat with the code or the link of an invite",
        "The same request again gives the same seat.",
        request=fields.JoinSerializer,
        responses=JoinedAnswer,
    )
    @raises(NoToken, refusals.UnknownInvite, *SEAT_TO_TAKE, refusals.TablePlaying, *OVER)
    @idempotent
    def post(self, request: Request) -> Response:
        caller = self.player
        given = validated(fields.JoinSerializer, request.data)
        with codes_tried(request, caller, given["invite"], WRONG_CODE):
            taken = seating.join(given["invite"], caller, given.get("seat"), self.received_at)
        return Response(joined(self, taken))


def joined(call: TablesApiView, taken: seating.Taken) -> JoinedAnswer:
    return {"table": call.present(taken.table), "seat": taken.seat.number}


class SeatsView(TablesApiView):
    @operation(
        "take_seat",
        "Take a seat, or come back to a seat for which a bot plays",
        request=fields.TakeSeatSerializer,
        responses={201: JoinedAnswer, 200: JoinedAnswer},
    )
    @raises(NoToken, refusals.InviteNeeded, *SEAT_TO_TAKE, refusals.TablePlaying, *OVER)
    @idempotent
    def post(self, request: Request, table_id: UUID) -> Response:
        caller = self.player
        given = validated(fields.TakeSeatSerializer, request.data)
        invite = given.get("invite")
        with codes_tried(request, caller, invite, WRONG_CODE):
            seat = given.get("seat")
            taken = seating.take_seat(table_id, caller, seat, invite, received_at=self.received_at)
        return Response(joined(self, taken), 201 if taken.is_new else 200)


class SeatView(TablesApiView):
    path_meanings = TablesApiView.path_meanings | {"number": "The seat's number, from 0."}

    @operation(
        "leave_seat",
        "Leave a seat, or empty a seat as host",
        "During a match, a bot plays until the player is back, and the host may empty a seat only if its player is "
        "away, too slow or absent. Without a clock, everybody who sits at the table may do this once the match has "
        "waited too long for the player. If the seat is already empty, nothing changes.",
        parameters=[fields.LeaveSeatFilterSerializer],
        responses={204: None},
    )
    @raises(NoToken, refusals.NotYourSeat, refusals.NoSuchSeat, refusals.PlayerPresent, refusals.TablePlaying, *OVER)
    @idempotent
    def delete(self, request: Request, table_id: UUID, number: int) -> Response:
        wanted = validated(fields.LeaveSeatFilterSerializer, request.query_params)
        seating.leave_seat(table_id, self.player, number, wanted.get("player"), received_at=self.received_at)
        return Response(status=204)


class BotSeatView(TablesApiView):
    path_meanings = TablesApiView.path_meanings | {"number": "The seat's number, from 0."}

    @operation(
        "seat_bot",
        "Put a bot into an empty seat, or change the level of a bot",
        "Only the host may do this. During a match, a bot can also take over the seat of a person, at the level of "
        "the table's `on_leave`, in the cases in which `leave_seat` allows it.",
        request=fields.BotLevelSerializer,
        responses=TableAnswer,
    )
    @raises(*HOSTS_RIGHT, refusals.NoSuchSeat, refusals.SeatTaken, refusals.PlayerPresent, *OVER)
    def put(self, request: Request, table_id: UUID, number: int) -> Response:
        caller = self.player
        given = validated(fields.BotLevelSerializer, request.data)
        return self.answer(seating.seat_bot(table_id, caller, number, given.get("level"), received_at=self.received_at))


class RenewInviteView(TablesApiView):
    @operation(
        "renew_invite",
        "Get a new invite code for an open table",
        "Only the host may do this. The old code becomes invalid.",
        request=None,
        responses=TableAnswer,
    )
    @raises(*HOSTS_RIGHT, refusals.TablePlaying, *OVER)
    @idempotent
    def post(self, request: Request, table_id: UUID) -> Response:
        return self.answer(opening.renew_invite(table_id, self.player))


class StartView(TablesApiView):
    @operation(
        "start",
        "Deal the first round",
        "Only the host may do this, once every seat is filled. The same request again changes nothing.",
        request=None,
        responses=TableAnswer,
    )
    @raises(*HOSTS_RIGHT, refusals.SeatsEmpty, refusals.TooManyRunningTables, refusals.TableCancelled)
    def post(self, request: Request, table_id: UUID) -> Response:
        return self.answer(starting.start_match(table_id, self.player))


class CancelView(TablesApiView):
    @operation(
        "cancel",
        "End the table without a winner",
        "Only the host may do this.",
        request=None,
        responses=TableAnswer,
    )
    @raises(*HOSTS_RIGHT, refusals.TableFinished)
    def post(self, request: Request, table_id: UUID) -> Response:
        return self.answer(ending.cancel(table_id, self.player))


class RematchView(TablesApiView):
    @operation(
        "rematch",
        "Open the next table, with the same seats and options; the first player who asks becomes its host",
        parameters=[LOCATION],
        request=None,
        responses={201: TableAnswer, 200: TableAnswer},
    )
    @raises(NoToken, refusals.NotAtTable, refusals.RemovedByHost)
    @raises(refusals.TooManyOpenTables, refusals.TableOpen, refusals.TablePlaying, refusals.TableCancelled)
    @idempotent
    def post(self, request: Request, table_id: UUID) -> Response:
        following, is_new = rematch.rematch(table_id, self.player, self.received_at)
        return self.made(following) if is_new else self.answer(following)


class BotsView(TablesApiView):
    @operation("bots", "List the levels that bots play at", responses=list[BotAnswer])
    def get(self, request: Request) -> Response:
        return TranslatedResponse(present_bots())
