"""Guests and accounts: creating, renaming, logging in, deactivating and deleting them."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, count
from uuid import UUID

from django.contrib.auth import authenticate
from django.contrib.auth.models import AnonymousUser
from django.db import IntegrityError, transaction
from django.dispatch import Signal
from django.utils import timezone
from django.utils.translation import gettext_noop as N_
from knox.models import AuthToken

from players.models import Handover, Kind, Player
from players.names import FORGOTTEN, NAME_LENGTH
from rest.problems import BadToken, Invalid, Problem

FIRST_ADMIN, DEMONSTRATION = "admin", "demonstration"
RESERVED_USERNAMES = {FIRST_ADMIN, DEMONSTRATION}
"""Usernames of accounts that a new server creates itself. Nobody can register one of them."""
player_forgotten = Signal()
"""Sent after a player was deleted, so that other apps delete what they store about the player."""
player_renamed = Signal()
"""Sent after a player was renamed, so that the tables where the player sits show the new name."""
player_made_inactive = Signal()
"""Sent after an admin made a player inactive, so that bots take over the player's seats."""
inactivity_asked = Signal()
"""Sent to ask for the consequences of making ``players`` inactive. Each receiver returns a list of sentences."""


class UsernameTaken(Invalid):
    detail = N_("This username is taken.")
    field, field_code = "username", "username_taken"


class AlreadyRegistered(Problem):
    detail = N_("You already have an account, with a different username or password.")
    status, code = 409, "already_registered"


def become_guest(name: str) -> Player:
    return Player.objects.create_user(None, name=name)


def register(caller: Player | AnonymousUser, username: str, password: str, name: str | None) -> Player:
    """Create an account. If the caller is a guest, the guest becomes the account and keeps seats and history.

    Tables show a guest's new name after the commit. Raises ``UsernameTaken``, ``AlreadyRegistered``, ``Forgotten``.
    """
    player = make_account(caller, username, password, name)
    if name is not None:
        show_new_name_after_commit(player)
    return player


@transaction.atomic
def make_account(caller: Player | AnonymousUser, username: str, password: str, name: str | None) -> Player:
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
    """Return the caller's row, locked; ``None`` without a token. Raises ``Forgotten``, ``AlreadyRegistered``.

    The guest may have become an account since the token was checked, so the row is read again.
    """
    if not isinstance(caller, Player):
        return None
    here = Player.objects.select_for_update().filter(pk=caller.id, is_active=True).first()
    if here is None:
        raise Forgotten
    if here.username is not None:
        raise AlreadyRegistered
    return here


def is_own(caller: Player, username: str, password: str) -> bool:
    """Whether this username and password are the caller's own. Locks the row, so neither changes before the commit."""
    here = Player.objects.select_for_update(no_key=True).get(pk=caller.id)
    is_name = here.is_active and Player.objects.of_username(username).filter(pk=here.pk).exists()
    return is_name and here.check_password(password)


def free_username(wanted: str) -> str:
    """Return the wanted username if it is free, else with the first number after it that makes it free."""
    numbered = chain([wanted], (f"{wanted}{number}" for number in count(2)))
    return next(name for name in numbered if not Player.objects.of_username(name).exists())


def log_in(username: str, password: str) -> Player | None:
    """Return the account with this username and password, or ``None``. Both cases take equally long.

    Needs a transaction. Locks the row until its end, so that no token is created for a password that was changed.
    """
    player = authenticate(username=username, password=password)
    if not isinstance(player, Player):
        return None
    unchanged = Player.objects.filter(pk=player.pk, password=player.password, is_active=True)
    return unchanged.select_for_update(no_key=True).first()


class Forgotten(BadToken):
    """The caller has been deleted or made inactive during the request."""

    detail = N_("This player has been deleted.")


class NoAccount(Invalid):
    detail = N_("A guest has no password; register first.")
    field, field_code = "password", "no_account"


class WrongPassword(Invalid):
    detail = N_("This is not the current password.")
    field, field_code = "current_password", "wrong_password"


def change(player: Player, fields: Mapping[str, str], token: AuthToken) -> Player:
    """Change the name, or the ``password`` if the ``current_password`` is correct. No other column is written.

    A new password ends all tokens except this one. Raises ``Forgotten``, ``NoAccount``, ``WrongPassword``. Tables get
    a new name in transactions of their own, because no lock on a player may be held while a table is locked.
    """
    changed = change_row(player, fields, token)
    if "name" in fields:
        player_renamed.send_robust(sender=Player, player=changed)
    return changed


@transaction.atomic
def change_row(player: Player, fields: Mapping[str, str], token: AuthToken) -> Player:
    here = lock_active_player(player)
    here.name = fields.get("name", here.name)
    if "password" in fields and change_password(here, fields["current_password"], fields["password"]):
        AuthToken.objects.filter(user=here).exclude(pk=token.pk).delete()
        Handover.objects.filter(player=here).delete()
    here.save(update_fields=("name", "password"))
    return here


def change_password(player: Player, current: str, new: str) -> bool:
    """Set a new password. Returns false if the password is set already, by an earlier attempt of this request.

    Raises ``NoAccount``, ``WrongPassword``.
    """
    if player.username is None:
        raise NoAccount
    if not player.check_password(current):
        if player.check_password(new):
            return False
        raise WrongPassword
    player.set_password(new)
    return True


def end_tokens(player: Player) -> None:
    """Delete all tokens of a player, and the player's code for another device."""
    AuthToken.objects.filter(user=player).delete()
    Handover.objects.filter(player=player).delete()


def lock_active_players(players: Iterable[UUID]) -> set[UUID]:
    """Return the ids of the active players, and lock their rows, so that they stay active until the commit.

    Code that seats a player locks the table first and then calls this. This cannot deadlock with ``forget``, which
    locks no table while it has the player locked.
    """
    here = Player.objects.select_for_update(no_key=True).filter(pk__in=players, is_active=True)
    return set(here.order_by("pk").values_list("pk", flat=True))


def lock_active_player(player: Player) -> Player:
    """Return a player's current row, locked, if the player is still active. Raises ``Forgotten``."""
    here = Player.objects.select_for_update(no_key=True).filter(pk=player.pk, is_active=True).first()
    if here is None:
        raise Forgotten
    return here


def forget(player: Player) -> None:
    """Remove a person's data from the row and end the tokens; then other apps give up the seats and the webhooks.

    The receivers use transactions of their own, so that no lock on the player is held while tables are locked. If the
    process crashes before that, or a receiver fails, which is logged, the player is deleted nevertheless, and the
    hourly tidying does the rest.
    """
    with transaction.atomic():
        here = Player.objects.select_for_update().get(pk=player.pk)
        end_tokens(here)
        here.token_uses.all().delete()
        here.name, here.username = FORGOTTEN, None
        here.set_unusable_password()
        here.is_active = here.is_staff = here.is_superuser = False
        here.deleted_at = timezone.now()
        here.save()
    player_forgotten.send_robust(sender=Player, player=here)


def make_inactive(player: Player) -> bool:
    """Deactivate a person until an admin activates them again. Their seats continue as if they had left.

    Returns whether the person was active before.
    """
    is_new = Player.objects.filter(pk=player.pk, kind=Kind.PERSON, is_active=True).update(is_active=False) > 0
    if is_new:
        give_seats_on_after_commit(player)
    return is_new


def consequences_of_inactivity(players: Sequence[Player]) -> list[str]:
    """Return the consequences of making these players inactive, as sentences with numbers from the other apps."""
    answers = inactivity_asked.send(sender=Player, players=players)
    return [sentence for _, sentences in answers for sentence in sentences or ()]


def give_seats_on_after_commit(player: Player) -> None:
    """Give up a player's seats after the commit, because no lock on a player may be held while a table is locked.

    If that fails, the hourly tidying does it.
    """
    transaction.on_commit(lambda: player_made_inactive.send(sender=Player, player=player))


def show_new_name_after_commit(player: Player) -> None:
    """Make tables show a new name after the commit, because until then this transaction has the player locked."""
    transaction.on_commit(lambda: player_renamed.send_robust(sender=Player, player=player))


BOT_NAMES = ("Otto", "Ada", "Hugo", "Ines", "Karl", "Lena", "Milo", "Nora", "Oskar", "Pia", "Rudi", "Vera")


def bots_of(level: str) -> list[Player]:
    """Return the bots of a level, enough to fill any table, in the order of ``BOT_NAMES``. Creates missing ones."""
    wanted = [Player(kind=Kind.BOT, level=level, name=name) for name in BOT_NAMES]
    for bot in wanted:
        bot.set_unusable_password()
    bots = Player.objects.filter(kind=Kind.BOT, level=level, name__in=BOT_NAMES)  # imported records create others
    if len(bots) < len(wanted):
        Player.objects.bulk_create(wanted, ignore_conflicts=True)
    return sorted(bots.all(), key=lambda bot: BOT_NAMES.index(bot.name))
