"""Guests and accounts: sitting down without registering, keeping what one has, and being forgotten."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, count
from uuid import UUID

from django.contrib.auth import authenticate
from django.contrib.auth.models import AnonymousUser
from django.db import IntegrityError, transaction
from django.dispatch import Signal
from django.utils import timezone
from knox.models import AuthToken

from players.models import Handover, Kind, Player
from players.names import FORGOTTEN, NAME_LENGTH

FIRST_ADMIN, DEMONSTRATION = "admin", "demonstration"
RESERVED_USERNAMES = {FIRST_ADMIN, DEMONSTRATION}
"""The accounts that a fresh server makes for itself; nobody registers as one of these."""
player_forgotten = Signal()
"""Sent after a player was deleted, so that other apps delete what they keep about them."""
player_renamed = Signal()
"""Sent after a player was renamed, so that the tables where they sit show the new name."""
player_made_inactive = Signal()
"""Sent after an admin has locked a player out, so that their seats go on without them."""
inactivity_asked = Signal()
"""Asks what follows if ``players`` are made inactive. Each receiver returns a list of sentences."""


class UsernameTaken(Exception):
    """Somebody else has this username."""


class AlreadyRegistered(Exception):
    """The caller has an account already, and gets no second one."""


def become_guest(name: str) -> Player:
    return Player.objects.create_user(None, name=name)


def register(caller: Player | AnonymousUser, username: str, password: str, name: str | None) -> Player:
    """Make an account; a guest becomes it and keeps seats and history. Tables show a guest's new name after the commit.

    Raises ``UsernameTaken``, ``AlreadyRegistered``, ``Forgotten``.
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
    """The caller's row, locked, if they have a token. They may have become an account since the token was checked."""
    if not isinstance(caller, Player):
        return None
    here = Player.objects.select_for_update().filter(pk=caller.id, is_active=True).first()
    if here is None:
        raise Forgotten
    if here.username is not None:
        raise AlreadyRegistered
    return here


def is_own(caller: Player, username: str, password: str) -> bool:
    """Whether this username and password are the caller's own. Locks the row, so that they stay so until the commit."""
    here = Player.objects.select_for_update(no_key=True).get(pk=caller.id)
    is_name = here.is_active and Player.objects.of_username(username).filter(pk=here.pk).exists()
    return is_name and here.check_password(password)


def free_username(wanted: str) -> str:
    """The wanted one, or the first with a number that nobody has."""
    numbered = chain([wanted], (f"{wanted}{number}" for number in count(2)))
    return next(name for name in numbered if not Player.objects.of_username(name).exists())


def log_in(username: str, password: str) -> Player | None:
    """The account with this password, or nobody. Takes as long either way.

    In the caller's transaction, until whose end it is the password: no token is made for one that has been changed.
    """
    player = authenticate(username=username, password=password)
    if not isinstance(player, Player):
        return None
    unchanged = Player.objects.filter(pk=player.pk, password=player.password, is_active=True)
    return unchanged.select_for_update(no_key=True).first()


class Forgotten(Exception):
    """This player has been deleted."""


class NoAccount(Exception):
    """A guest has no password to change."""


class WrongPassword(Exception):
    """This is not the current password."""


def change(player: Player, fields: Mapping[str, str], token: AuthToken) -> Player:
    """Change the name, or with the ``current_password`` the ``password``, and nothing else of the row as it is now.

    With the password every token ends but this one. Raises ``Forgotten``, ``NoAccount``, ``WrongPassword``. Tables
    learn of another name in transactions of their own: no lock on the player is held while tables are locked.
    """
    changed = change_row(player, fields, token)
    if "name" in fields:
        player_renamed.send_robust(sender=Player, player=changed)
    return changed


@transaction.atomic
def change_row(player: Player, fields: Mapping[str, str], token: AuthToken) -> Player:
    here = must_be_here(player)
    here.name = fields.get("name", here.name)
    if "password" in fields and change_password(here, fields["current_password"], fields["password"]):
        AuthToken.objects.filter(user=here).exclude(pk=token.pk).delete()
        Handover.objects.filter(player=here).delete()
    here.save(update_fields=("name", "password"))
    return here


def change_password(player: Player, current: str, new: str) -> bool:
    """Set a new password. Returns whether it differs from the old one: a repeated request finds it set already."""
    if player.username is None:
        raise NoAccount
    if not player.check_password(current):
        if player.check_password(new):
            return False
        raise WrongPassword
    player.set_password(new)
    return True


def end_tokens(player: Player) -> None:
    """End every token of a player, and their code for another device."""
    AuthToken.objects.filter(user=player).delete()
    Handover.objects.filter(player=player).delete()


def who_is_here(players: Iterable[UUID]) -> set[UUID]:
    """Those who have not been forgotten, and who cannot be before this transaction ends.

    Whoever seats somebody asks this after locking the table; forgetting locks no table while it holds the player.
    """
    here = Player.objects.select_for_update(no_key=True).filter(pk__in=players, is_active=True)
    return set(here.order_by("pk").values_list("pk", flat=True))


def must_be_here(player: Player) -> Player:
    """The same for one who asks for a seat or a table: their row as it is now. Raises ``Forgotten``."""
    here = Player.objects.select_for_update(no_key=True).filter(pk=player.pk, is_active=True).first()
    if here is None:
        raise Forgotten
    return here


def forget(player: Player) -> None:
    """Take the person out of the row and end their tokens; then have their seats given on.

    Two transactions, so that no lock on the player is held while tables are locked. What a crash leaves between them is
    found by the hourly tidying; so is what fails in the second, which is logged: the person is forgotten all the same.
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
    """Let a person in no more until an admin says otherwise; their seats go on as if they had left.

    Returns whether that has changed anything.
    """
    is_new = Player.objects.filter(pk=player.pk, kind=Kind.PERSON, is_active=True).update(is_active=False) > 0
    if is_new:
        give_seats_on_after_commit(player)
    return is_new


def what_inactivity_means(players: Sequence[Player]) -> list[str]:
    """What follows if these players are made inactive, in sentences with numbers, as the other apps say."""
    answers = inactivity_asked.send(sender=Player, players=players)
    return [sentence for _, sentences in answers for sentence in sentences or ()]


def give_seats_on_after_commit(player: Player) -> None:
    """Not before, for no lock on the player is held while tables are locked. The hourly tidying finds what is left."""
    transaction.on_commit(lambda: player_made_inactive.send(sender=Player, player=player))


def show_new_name_after_commit(player: Player) -> None:
    """Have tables show another name after the commit: until then this transaction holds the player's lock."""
    transaction.on_commit(lambda: player_renamed.send_robust(sender=Player, player=player))


BOT_NAMES = ("Otto", "Ada", "Hugo", "Ines", "Karl", "Lena", "Milo", "Nora", "Oskar", "Pia", "Rudi", "Vera")


def bots_of(level: str) -> list[Player]:
    """The bots of a level, enough to fill any table, in the order of their names; made when first asked for."""
    wanted = [Player(kind=Kind.BOT, level=level, name=name) for name in BOT_NAMES]
    for bot in wanted:
        bot.set_unusable_password()
    bots = Player.objects.filter(kind=Kind.BOT, level=level, name__in=BOT_NAMES)  # imported records bring others
    if len(bots) < len(wanted):
        Player.objects.bulk_create(wanted, ignore_conflicts=True)
    return sorted(bots.all(), key=lambda bot: BOT_NAMES.index(bot.name))
