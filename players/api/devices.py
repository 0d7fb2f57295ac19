"""Views for players with several devices: handover to another device, and listing and ending sessions."""

from typing import ClassVar
from uuid import UUID

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_noop as N_
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from players import handover, sessions
from players.api.serializers import HandoverSerializer
from players.api.views import oneself, welcome
from players.presenters import HandoverAnswer, SessionAnswer, Welcome, present_session
from rest.bodies import validated
from rest.guesses import tried
from rest.idempotency import idempotent
from rest.limits import Limit
from rest.problems import Problem, raises
from rest.texts import operation
from rest.throttles import address_of

HANDOVER = "handover"


class UnknownCode(Problem):
    detail = N_("This code is wrong, already used or older than two minutes. Get a new code.")
    status, code = 404, "unknown_code"


class OfferHandoverView(APIView):
    permission_classes = (IsAuthenticated,)

    @operation(
        "offer_handover",
        "Get a code to log in on another device",
        "Type the code on the other device. It works once, within two minutes, and replaces any earlier code.",
        request=None,
        responses={201: HandoverAnswer},
    )
    @idempotent
    def post(self, request: Request) -> Response:
        player = oneself(request)
        for whose in (address_of(request), str(player.pk)):
            Limit(HANDOVER).count(whose)
        code, expires_at = handover.offer(player, timezone.now())
        answer: HandoverAnswer = {"code": code, "expires_at": expires_at}
        return Response(answer, 201)


class HandoverView(APIView):
    authentication_classes = ()

    @operation(
        "handover",
        "Log in with a code from another device",
        "The code works only once. The other device keeps its token.",
        request=HandoverSerializer,
        responses={201: Welcome},
    )
    @raises(UnknownCode)
    @idempotent
    def post(self, request: Request) -> Response:
        code = validated(HandoverSerializer, request.data)["code"]
        whose = (address_of(request), handover.digest_of(code))
        with tried(HANDOVER, whose, wrong=(UnknownCode,)), transaction.atomic():
            player = handover.accept(code, timezone.now())
            if player is None:
                raise UnknownCode
            return welcome(player, 201)


class SessionsView(APIView):
    permission_classes = (IsAuthenticated,)

    @operation("sessions", "List the caller's sessions, newest first", responses=list[SessionAnswer])
    def get(self, request: Request) -> Response:
        return Response([present_session(each) for each in sessions.sessions_of(oneself(request), request.auth)])


class SessionView(APIView):
    path_meanings: ClassVar = {"session_id": "The id of the session."}
    permission_classes = (IsAuthenticated,)

    @operation(
        "end_session",
        "End a session",
        "Its token is no longer valid. If the caller has no such session, nothing changes.",
        responses={204: None},
    )
    def delete(self, request: Request, session_id: UUID) -> Response:
        sessions.end_session(oneself(request), session_id)
        return Response(status=204)
