"""Guests and accounts: sitting down without registering, keeping what one has, and being forgotten."""

from django.contrib.auth import authenticate
from django.contrib.auth.models import AnonymousUser
from django.db import IntegrityError, transaction
from django.dispatch import Signal
from django.utils import timezone
from knox.models import AuthToken

from players.models import NAME_LENGTH, Kind, Player

FORGOTTEN = "Deleted player"
player_forgotten = Signal()
"""Sent inside the transaction that forgets a player, so that whoever keeps seats can give theirs on."""


class UsernameTaken(Exception):
    """Somebody else has this username."""


def become_guest(name: str) -> Player:
    return Player.objects.create_user(None, name=name)


@transaction.atomic
def register(caller: Player | AnonymousUser, username: str, password: str, name: str | None) -> Player:
    """Make an account; a guest becomes it and keeps seats and history. Raises ``UsernameTaken``."""
    player = guest_of(caller) or Player(name=username[:NAME_LENGTH])
    player.username = username
    player.name = name or player.name
    player.set_password(password)
    try:
        with transaction.atomic():
            player.save()
    except IntegrityError as taken:
        raise UsernameTaken from taken
    return player


def guest_of(caller: Player | AnonymousUser) -> Player | None:
    """The caller's row, locked, if they are a guest still: since the token was read they may have become an account."""
    if not isinstance(caller, Player):
        return None
    return Player.objects.select_for_update().filter(pk=caller.id, username=None, is_active=True).first()


def log_in(username: str, password: str) -> Player | None:
    """The account with this password, or nobody. Takes as long either way."""
    player = authenticate(username=username, password=password)
    return player if isinstance(player, Player) else None


@transaction.atomic
def forget(player: Player) -> None:
    """Take the person out of the row; seats, logs and others' histories stay. Their tokens end at once.

    Tables are locked before the player, as whoever sits down does it.
    """
    AuthToken.objects.filter(user=player).delete()
    player_forgotten.send(sender=Player, player=player)
    player.name = FORGOTTEN
    player.username = None
    player.set_unusable_password()
    player.is_active = player.is_staff = player.is_superuser = False
    player.deleted_at = timezone.now()
    player.save()


BOT_NAMES = ("Otto", "Ada", "Hugo", "Ines", "Karl", "Lena", "Milo", "Nora", "Oskar", "Pia", "Rudi", "Vera")


def bots_of(level: str) -> list[Player]:
    """The bots of a level, enough to fill any table, in the order of their names; made when first asked for."""
    wanted = [Player(kind=Kind.BOT, level=level, name=name) for name in BOT_NAMES]
    for bot in wanted:
        bot.set_unusable_password()
    bots = Player.objects.filter(kind=Kind.BOT, level=level)
    if len(bots) < len(wanted):
        Player.objects.bulk_create(wanted, ignore_conflicts=True)
    return sorted(bots.all(), key=lambda bot: BOT_NAMES.index(bot.name))
