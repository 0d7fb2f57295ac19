"""Views to become a guest, register, log in and out, and read, change or delete the caller's own player."""

from django.db import transaction
from django.utils.translation import gettext_noop as N_
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from players import accounts
from players.api.serializers import (
    LoginSerializer,
    LogoutSerializer,
    MeChangesSerializer,
    NameSerializer,
    RegistrationSerializer,
)
from players.models import Player
from players.passwords import password_tried, username_tried
from players.presenters import Me, Welcome, present_me
from players.tokens import issue_token
from rest.bodies import validated
from rest.idempotency import idempotent
from rest.problems import Problem, raises
from rest.texts import operation
from rest.throttles import CallerThrottle, GuestThrottle


class BadCredentials(Problem):
    detail = N_("There is no account with this username and password.")
    status, code = 401, "bad_credentials"


def welcome(player: Player, status: int) -> Response:
    answer: Welcome = {"player": present_me(player), "token": issue_token(player)}
    return Response(answer, status)


def oneself(request: Request) -> Player:
    """Return the calling player. Only for views that require a token."""
    assert isinstance(request.user, Player)
    return request.user


class GuestView(APIView):
    throttle_classes = (GuestThrottle,)

    @operation(
        "register_guest",
        "Create a guest",
        "A guest needs only a name. Keep the token; no later answer contains it.",
        request=NameSerializer,
        responses={201: Welcome},
    )
    @idempotent
    def post(self, request: Request) -> Response:
        return welcome(accounts.become_guest(validated(NameSerializer, request.data)["name"]), 201)


class RegistrationView(APIView):
    throttle_classes = (GuestThrottle,)

    @operation(
        "register",
        "Create an account",
        "With a guest's token, the guest becomes the account and keeps their seats and history. The same request "
        "with that token again gets 200 and another token. An account cannot create another account.",
        request=RegistrationSerializer,
        responses={201: Welcome, 200: Welcome},
    )
    @raises(accounts.AlreadyRegistered)
    @idempotent
    def post(self, request: Request) -> Response:
        given = validated(RegistrationSerializer, request.data)
        try:
            player = accounts.register(request.user, given["username"], given["password"], given.get("name"))
        except accounts.AlreadyRegistered:
            return self.again(request, given["username"], given["password"])
        except accounts.UsernameTaken:
            username_tried(request)
            raise
        return welcome(player, 201)

    def again(self, request: Request, username: str, password: str) -> Response:
        caller = oneself(request)
        with password_tried(request, username), transaction.atomic():
            if not accounts.is_own(caller, username, password):
                raise accounts.AlreadyRegistered
            return welcome(Player.objects.get(pk=caller.pk), 200)


class LoginView(APIView):
    authentication_classes = ()

    @operation(
        "login",
        "Get a new token for an account",
        "Earlier tokens stay valid.",
        request=LoginSerializer,
        responses={200: Welcome},
    )
    @raises(BadCredentials)
    def post(self, request: Request) -> Response:
        given = validated(LoginSerializer, request.data)
        with password_tried(request, given["username"]), transaction.atomic():
            player = accounts.log_in(given["username"], given["password"])
            if player is None:
                raise BadCredentials
            return welcome(player, 200)


class LogoutView(APIView):
    permission_classes = (IsAuthenticated,)

    @operation(
        "logout",
        "Revoke the token of this request, or with `everywhere` all tokens of the player",
        request=LogoutSerializer,
        responses={204: None},
    )
    def post(self, request: Request) -> Response:
        assert request.auth is not None
        if validated(LogoutSerializer, request.data)["everywhere"]:
            accounts.end_tokens(oneself(request))
        else:
            request.auth.delete()
        return Response(status=204)


class MeView(APIView):
    permission_classes = (IsAuthenticated,)
    throttle_classes = (CallerThrottle,)

    @operation("me", "Show the caller", responses=Me)
    def get(self, request: Request) -> Response:
        return Response(present_me(oneself(request)))

    @operation(
        "change_me",
        "Change the caller's name or password",
        "A new password also needs the `current_password`, and revokes every other token of the player. The same "
        "request again changes nothing.",
        request=MeChangesSerializer,
        responses=Me,
    )
    def patch(self, request: Request) -> Response:
        given = validated(MeChangesSerializer, request.data)
        if "password" not in given or oneself(request).username is None:
            return self.changed(request, given)
        # Both passwords are compared, because an earlier attempt of this request may have set the new one.
        with password_tried(request, str(oneself(request).username), passwords=2):
            return self.changed(request, given)

    def changed(self, request: Request, given: dict[str, str]) -> Response:
        return Response(present_me(accounts.change(oneself(request), given, request.auth)))

    @operation(
        "forget_me",
        "Make the caller anonymous",
        "Their matches continue without them; logs and the histories of other players stay.",
        responses={204: None},
    )
    def delete(self, request: Request) -> Response:
        accounts.forget(oneself(request))
        return Response(status=204)
