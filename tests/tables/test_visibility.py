"""The queryset and the playing path's query each decide who may see a table; both give the same answer."""

from itertools import product

import pytest

from tables.models import Spectators, Status, Table, Visibility
from tests.cast import Caller, guest, join, open_table

CASES = list(product(Visibility.values, Spectators.values, (Status.OPEN, Status.CANCELLED)))


@pytest.mark.parametrize(("visibility", "spectators", "status"), CASES)
def test_the_queryset_and_the_query_agree(
    alice: Caller, bob: Caller, visibility: str, spectators: str, status: Status
) -> None:
    table = open_table(alice, visibility=visibility, spectators=spectators, host_seat=None)
    join(table, bob)
    Table.objects.filter(pk=table["id"]).update(status=status)
    is_for_all = spectators == Spectators.OPEN or (visibility, status) == (Visibility.PUBLIC, Status.OPEN)
    for caller, may_see in ((alice, True), (bob, True), (guest("Cleo"), is_for_all), (Caller(), is_for_all)):
        seen = [caller.get(f"tables/{table['id']}{page}").status for page in ("", "/position", "/moves", "/rounds")]
        assert seen == [200 if may_see else 404] * 4


def test_a_stranger_can_open_every_listed_table(alice: Caller, spectator: Caller) -> None:
    for visibility, spectators, status in CASES:
        table = open_table(alice, visibility=visibility, spectators=spectators)
        Table.objects.filter(pk=table["id"]).update(status=status)
    found = spectator.get("tables").body["results"]
    assert len(found) == 3
    assert {spectator.get(f"tables/{table['id']}").status for table in found} == {200}
