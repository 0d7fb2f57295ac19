"""Handover: a player reads a code from one device and types it at another, which gets a token of its own."""

import secrets
from datetime import datetime, timedelta
from unicodedata import normalize

from django.db import transaction
from django.utils.crypto import salted_hmac

from players.accounts import must_be_here, who_is_here
from players.models import Handover, Player

LASTS = timedelta(seconds=120)
ALPHABET = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
"""Without characters that are easily confused: no 0, O, 1 or I."""
GROUPS, OF_GROUP = 3, 4
"""Three groups of four: 12 characters of 32, 60 random bits."""


def new_code() -> str:
    groups = ("".join(secrets.choice(ALPHABET) for _ in range(OF_GROUP)) for _ in range(GROUPS))
    return "-".join(groups)


def digest_of(code: str) -> str:
    """The hash that is stored of a code: the same in capitals or not, with or without hyphens and spaces."""
    plain = "".join(letter for letter in normalize("NFKC", code).upper() if letter.isalnum())
    return salted_hmac("players.handover", plain, algorithm="sha256").hexdigest()


@transaction.atomic
def offer(player: Player, at: datetime) -> tuple[str, datetime]:
    """A new code for this player, and when it expires; it replaces an earlier one. Raises ``Forgotten``."""
    must_be_here(player)
    code, expires_at = new_code(), at + LASTS
    Handover.objects.update_or_create(player=player, defaults={"digest": digest_of(code), "expires_at": expires_at})
    return code, expires_at


def accept(code: str, at: datetime) -> Player | None:
    """Use up a code, and return its player; ``None`` if the code is unknown, used or expired. Needs a transaction.

    The player is locked first, as everywhere; of two devices with the same code the second finds it used.
    """
    good = Handover.objects.filter(digest=digest_of(code), expires_at__gt=at)
    owner = good.values_list("player", flat=True).first()
    if owner is None or not who_is_here([owner]):
        return None
    used, _ = good.filter(player=owner).delete()
    return Player.objects.get(pk=owner) if used else None


def forget_expired(at: datetime) -> None:
    Handover.objects.filter(expires_at__lte=at).delete()
