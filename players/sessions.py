"""Sessions: a player's tokens as the API presents them, with ids that reveal nothing about the tokens."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db.models import F, OuterRef, Subquery
from django.db.models.functions import Coalesce
from django.utils.crypto import salted_hmac
from knox.models import AuthToken

from players.models import Player, TokenUse
from players.presence import last_used

MOST = 100
"""How many tokens a player may have. Another one ends the token that has been unused for the longest time."""


@dataclass(frozen=True, slots=True)
class Session:
    """One token. ``last_used_at`` is exact to the minute."""

    id: UUID
    created_at: datetime
    last_used_at: datetime | None
    current: bool


def sessions_of(player: Player, current: AuthToken | None) -> list[Session]:
    """Return the player's sessions, newest first. ``current`` is the token of this call."""
    used = last_used(player.pk)
    return [
        Session(id_of(token), token.created, used.get(token.digest), current is not None and token.pk == current.pk)
        for token in AuthToken.objects.filter(user=player).order_by("-created", "digest")
    ]


def id_of(token: AuthToken) -> UUID:
    """Return the session's id: a keyed hash, so that nobody can compute the token or its digest from it."""
    return UUID(bytes=salted_hmac("players.sessions", token.digest, algorithm="sha256").digest()[:16], version=4)


def end_session(player: Player, session: UUID) -> None:
    """End one of the player's tokens. If none has this id, nothing happens."""
    ended = [token.pk for token in AuthToken.objects.filter(user=player) if id_of(token) == session]
    AuthToken.objects.filter(user=player, pk__in=ended).delete()


def end_beyond_most(player: Player) -> None:
    used = TokenUse.objects.filter(digest=OuterRef("digest")).values("used_at")
    tokens = AuthToken.objects.filter(user=player).annotate(used=Coalesce(Subquery(used), F("created")))
    beyond = list(tokens.order_by("-used", "-created").values_list("pk", flat=True)[MOST:])
    if beyond:
        AuthToken.objects.filter(pk__in=beyond).delete()
