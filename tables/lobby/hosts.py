"""Says who hosts a table, and gives it to another host."""

from django.utils import timezone

from players.models import Player
from tables import deciding_seats
from tables.lobby import absence
from tables.lobby.changing import change
from tables.lobby.matches import changes_in
from tables.models import Status, Table


def is_host(table: Table, caller: Player) -> bool:
    """Whether the caller hosts a locked table. If the host is gone and the caller is next, the caller becomes host."""
    if table.host_id != caller.id and absence.next_host(table, timezone.now()) == caller:
        make_host(table, caller)
    return table.host_id == caller.id


def make_host(table: Table, player: Player) -> None:
    if table.status == Status.PLAYING:
        with changes_in(table) as changes:
            deciding_seats.change_host(changes, player.id)
    else:
        change(table, host=player)
