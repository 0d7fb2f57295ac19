"""How many tables one player may host at a time. Lock the player before: of two calls at once, one is then refused."""

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
    """Whether the player hosts that many tables of a status, or more; 0 is no limit."""
    return bool(most) and Table.objects.filter(host=host, status=status).count() >= most
