"""Sessions: a player's tokens as the player sees them, under ids that say nothing about the tokens."""

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
"""How many tokens a player may have; one more ends the one that was used the longest time ago."""


@dataclass(frozen=True, slots=True)
class Session:
    """One token. ``last_used_at`` is to the minute."""

    id: UUID
    created_at: datetime
    last_used_at: datetime | None
    current: bool


def sessions_of(player: Player, current: AuthToken | None) -> list[Session]:
    """The player's sessions, newest first; ``current`` is the token of this call."""
    used = last_used(player.pk)
    return [
        Session(id_of(token), token.created, used.get(token.digest), current is not None and token.pk == current.pk)
        for token in AuthToken.objects.filter(user=player).order_by("-created", "digest")
    ]


def id_of(token: AuthToken) -> UUID:
    """The session's id: a keyed hash, so that neither the token nor its digest can be worked out from it."""
    return UUID(bytes=salted_hmac("players.sessions", token.digest, algorithm="sha256").digest()[:16], version=4)


def end_session(player: Player, session: UUID) -> None:
    """End one of the player's tokens. If none has this id, there is nothing left to do."""
    ended = [token.pk for token in AuthToken.objects.filter(user=player) if id_of(token) == session]
    AuthToken.objects.filter(user=player, pk__in=ended).delete()


def end_beyond_most(player: Player) -> None:
    used = TokenUse.objects.filter(digest=OuterRef("digest")).values("used_at")
    tokens = AuthToken.objects.filter(user=player).annotate(used=Coalesce(Subquery(used), F("created")))
    beyond = list(tokens.order_by("-used", "-created").values_list("pk", flat=True)[MOST:])
    if beyond:
        AuthToken.objects.filter(pk__in=beyond).delete()
