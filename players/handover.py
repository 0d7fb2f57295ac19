"""Handover: a player reads a code on one device and types it on another, which gets a token of its own."""

import secrets
from datetime import datetime, timedelta
from unicodedata import normalize

from django.db import transaction
from django.utils.crypto import salted_hmac

from players.accounts import lock_active_player, lock_active_players
from players.models import Handover, Player

LASTS = timedelta(seconds=120)
ALPHABET = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
"""Without characters that are easily confused: no 0, O, 1 or I."""
GROUPS, OF_GROUP = 3, 4
"""Three groups of four: 12 characters from an alphabet of 32, or 60 random bits."""


def new_code() -> str:
    groups = ("".join(secrets.choice(ALPHABET) for _ in range(OF_GROUP)) for _ in range(GROUPS))
    return "-".join(groups)


def digest_of(code: str) -> str:
    """Return the hash that is stored. Case, hyphens and spaces in the code make no difference."""
    plain = "".join(letter for letter in normalize("NFKC", code).upper() if letter.isalnum())
    return salted_hmac("players.handover", plain, algorithm="sha256").hexdigest()


@transaction.atomic
def offer(player: Player, at: datetime) -> tuple[str, datetime]:
    """Return a new code for this player, and when it expires. It replaces an earlier code. Raises ``Forgotten``."""
    lock_active_player(player)
    code, expires_at = new_code(), at + LASTS
    Handover.objects.update_or_create(player=player, defaults={"digest": digest_of(code), "expires_at": expires_at})
    return code, expires_at


def accept(code: str, at: datetime) -> Player | None:
    """Use up a code and return its player; ``None`` if the code is unknown, used or expired. Needs a transaction.

    The player is locked first, as everywhere. If two devices send the same code at once, the second finds it used.
    """
    good = Handover.objects.filter(digest=digest_of(code), expires_at__gt=at)
    owner = good.values_list("player", flat=True).first()
    if owner is None or not lock_active_players([owner]):
        return None
    used, _ = good.filter(player=owner).delete()
    return Player.objects.get(pk=owner) if used else None


def forget_expired(at: datetime) -> None:
    Handover.objects.filter(expires_at__lte=at).delete()
