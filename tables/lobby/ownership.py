"""Limits how many tables one player may host. Lock the player first, so that one of two calls at once is refused."""

from django.conf import settings

from players.models import Player
from tables import refusals
from tables.models import Status, Table


def may_open_another(host: Player) -> None:
    """Raises ``TooManyOpenTables``."""
    if hosts_as_many_as(host, Status.OPEN, settings.OPEN_TABLES_OF_ONE):
        raise refusals.TooManyOpenTables


def may_start_another(host: Player) -> None:
    """Raises ``TooManyRunningTables``."""
    if hosts_as_many_as(host, Status.PLAYING, settings.RUNNING_TABLES_OF_ONE):
        raise refusals.TooManyRunningTables


def hosts_as_many_as(host: Player, status: Status, most: int) -> bool:
    """Whether the player hosts at least ``most`` tables of a status. 0 means no limit."""
    return bool(most) and Table.objects.filter(host=host, status=status).count() >= most
