"""API calls for another clock in a running match."""

from uuid import UUID

from rest_framework.request import Request
from rest_framework.response import Response

from rest.bodies import validated
from rest.problems import NoToken, raises
from rest.texts import operation
from tables import refusals
from tables.api import fields
from tables.api.lobby import OVER
from tables.api.views import TablesApiView
from tables.lobby import consent
from tables.presenters.tables import TableAnswer


class ClockView(TablesApiView):
    @operation(
        "propose_clock",
        "Propose another clock for a running match, or agree to the proposed one",
        "All seated players who are neither away nor absent must agree. Once they do, the answer is 200, and the "
        "clock applies from the next turn. Until then, the answer is 202 with `clock_proposal`. A proposal expires "
        "after ten minutes.",
        request=fields.ClockSerializer,
        responses={200: TableAnswer, 202: TableAnswer},
    )
    @raises(
        NoToken,
        refusals.NotAtTable,
        refusals.ClockProposed,
        refusals.SeatAway,
        refusals.SeatForfeited,
        refusals.TableOpen,
        *OVER,
    )
    def post(self, request: Request, table_id: UUID) -> Response:
        caller = self.player
        given = validated(fields.ClockSerializer, request.data)
        table, is_set = consent.propose_clock(table_id, caller, given["turn_seconds"], given["on_timeout"])
        return self.answer(table, 200 if is_set else 202)

    @operation(
        "withdraw_clock",
        "Withdraw the proposed clock",
        "Every player who has agreed to it may do this. If no clock is proposed, nothing changes.",
        responses={204: None},
    )
    @raises(NoToken, refusals.NotAtTable, refusals.NotYourProposal)
    def delete(self, request: Request, table_id: UUID) -> Response:
        consent.withdraw_clock(table_id, self.player)
        return Response(status=204)
