"""Who hosts when the host is gone."""

from typing import Any

import pytest

from tests.cast import Caller


def host_of(table: dict[str, Any], caller: Caller) -> str:
    host: str = caller.get(f"tables/{table['id']}").body["host"]
    return host


def id_of(caller: Caller) -> str:
    assert caller.player is not None
    return str(caller.player.id)


def test_whoever_is_away_inherits_from_a_host_who_is_forgotten(
    playing: dict[str, Any], alice: Caller, bob: Caller
) -> None:
    bob.delete(f"tables/{playing['id']}/seats/1")
    assert alice.delete("players/me").status == 204
    assert host_of(playing, bob) == id_of(bob)
    assert bob.post(f"tables/{playing['id']}/cancel").status == 200


def test_whoever_is_away_does_not_inherit_from_a_host_who_may_come_back(
    playing: dict[str, Any], alice: Caller, bob: Caller
) -> None:
    bob.delete(f"tables/{playing['id']}/seats/1")
    alice.delete(f"tables/{playing['id']}/seats/0")
    assert host_of(playing, bob) == id_of(alice)


@pytest.mark.parametrize("way", ["leave", "forget"])
def test_whoever_is_present_inherits(playing: dict[str, Any], alice: Caller, bob: Caller, way: str) -> None:
    alice.delete("players/me" if way == "forget" else f"tables/{playing['id']}/seats/0")
    assert host_of(playing, bob) == id_of(bob)
