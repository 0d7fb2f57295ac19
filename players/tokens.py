"""Bearer tokens: issuing and checking them. Only the hash is stored (django-rest-knox)."""

from django.utils import timezone
from django.utils.translation import gettext
from knox.auth import TokenAuthentication
from knox.crypto import hash_token
from knox.models import AuthToken
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from players import presence, sessions
from players.models import Player
from rest.throttles import count_bad_token

SCHEME = "Bearer"


def issue_token(player: Player) -> str:
    """Return a new token, which cannot be read again later. Beyond 100 tokens, the one unused for longest ends."""
    row, token = AuthToken.objects.create(player)
    presence.touch(row.digest)
    sessions.end_beyond_most(player)
    return str(token)


def token_digest(request: Request) -> str | None:
    """Return the hash of the request's token; ``None`` without a token.

    Raises ``AuthenticationFailed`` for a malformed header.
    """
    header = request.META.get("HTTP_AUTHORIZATION", "").split()
    if not header:
        return None
    if len(header) != 2 or header[0].lower() != SCHEME.lower():
        raise AuthenticationFailed(gettext("Send the header as 'Authorization: Bearer <token>'."))
    return str(hash_token(header[1]))


class BearerAuthentication(TokenAuthentication):  # type: ignore[misc]  # knox has no types
    """Knox's authentication with one query by the hash. It does not delete expired tokens on every request."""

    def authenticate(self, request: Request) -> tuple[Player, AuthToken] | None:
        digest = token_digest(request)
        if digest is None:
            return None
        token = AuthToken.objects.select_related("user").filter(digest=digest, user__is_active=True).first()
        if token is None or (token.expiry and token.expiry < timezone.now()):
            raise unknown_token(request)
        presence.touch(digest)
        return token.user, token


def unknown_token(request: Request) -> AuthenticationFailed:
    """Count a request with an unknown token and return the error. Valid tokens are not counted, which saves time.

    Raises ``Throttled``.
    """
    count_bad_token(request)
    return AuthenticationFailed(gettext("This token is unknown or has been revoked."))
