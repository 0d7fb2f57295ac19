"""API calls about rounds: their results, and what they were dealt from."""

from typing import Annotated, TypedDict
from uuid import UUID

from rest_framework.request import Request
from rest_framework.response import Response

from rest.bodies import validated
from rest.problems import NoToken, raises
from rest.texts import described, operation
from tables import refusals
from tables.api import fields
from tables.api.views import TablesApiView, VisibleTableApiView
from tables.lobby import starting
from tables.presenters.positions import PastPositionAnswer, present_past_position
from tables.presenters.rounds import (
    DealAnswer,
    RoundResult,
    finished_round,
    present_deal,
    present_results,
    present_round_result,
)


class RoundsView(VisibleTableApiView):
    @operation("rounds", "List the results of the rounds that are over, in order", responses=list[RoundResult])
    def get(self, request: Request, table_id: UUID) -> Response:
        return Response(present_results(self.visible_table()))


class RoundView(VisibleTableApiView):
    path_meanings = TablesApiView.path_meanings | {"number": "The number of the round, from 1."}

    @operation("round", "Show the result of one round that is over", responses=RoundResult)
    @raises(refusals.RoundNotOver)
    def get(self, request: Request, table_id: UUID, number: int) -> Response:
        return Response(present_round_result(finished_round(self.visible_table(), number)))


class DealView(VisibleTableApiView):
    path_meanings = TablesApiView.path_meanings | {"number": "The number of the round, from 1."}

    @operation(
        "deal",
        "Show all data behind the deal of a finished round, so that anybody can check the deal",
        responses=DealAnswer,
    )
    @raises(refusals.RoundNotOver)
    def get(self, request: Request, table_id: UUID, number: int) -> Response:
        return Response(present_deal(self.visible_table(), number))


class PastPositionView(VisibleTableApiView):
    path_meanings = TablesApiView.path_meanings | {"number": "The place of the move in the table's log, from 1."}

    @operation(
        "past_position",
        "Show the position after any move of a round that is over, with all hands and the boneyard open",
        responses=PastPositionAnswer,
    )
    @raises(refusals.RoundNotOver)
    def get(self, request: Request, table_id: UUID, number: int) -> Response:
        return Response(present_past_position(self.visible_table(), number))


@described("The caller's own contribution to the next deal.")
class ClientSeedAnswer(TypedDict):
    seat: Annotated[int, "The number of the caller's seat."]
    seed: Annotated[str, "The contribution; empty for none."]
    round: Annotated[int | None, "The next round to be dealt; `null` if no deal follows."]
    commitment: Annotated[
        str | None,
        "The SHA-256 of the secret of that deal, which is published after the round; `null` if there is none.",
    ]


class ClientSeedView(TablesApiView):
    @operation(
        "set_client_seed",
        "Set the caller's own contribution to later deals",
        request=fields.ClientSeedSerializer,
        responses=ClientSeedAnswer,
    )
    @raises(NoToken, refusals.NotAtTable, refusals.TableFinished, refusals.TableCancelled)
    def put(self, request: Request, table_id: UUID) -> Response:
        caller = self.player
        given = validated(fields.ClientSeedSerializer, request.data)
        seat, coming, commitment = starting.set_client_seed(table_id, caller, given["seed"])
        answer: ClientSeedAnswer = {
            "seat": seat.number,
            "seed": given["seed"],
            "round": coming,
            "commitment": commitment,
        }
        return Response(answer)
