"""Who becomes host when the host is gone."""

from typing import Any

import pytest

from tests.cast import Caller


def host_of(table: dict[str, Any], caller: Caller) -> str:
    host: str = caller.get(f"tables/{table['id']}").body["host"]
    return host


def id_of(caller: Caller) -> str:
    assert caller.player is not None
    return str(caller.player.id)


def test_a_person_who_is_away_becomes_host_after_a_deleted_host(
    playing: dict[str, Any], alice: Caller, bob: Caller
) -> None:
    bob.delete(f"tables/{playing['id']}/seats/1")
    assert alice.delete("players/me").status == 204
    assert host_of(playing, bob) == id_of(bob)
    assert bob.post(f"tables/{playing['id']}/cancel").status == 200


def test_a_person_who_is_away_does_not_become_host_if_the_old_host_can_return(
    playing: dict[str, Any], alice: Caller, bob: Caller
) -> None:
    bob.delete(f"tables/{playing['id']}/seats/1")
    alice.delete(f"tables/{playing['id']}/seats/0")
    assert host_of(playing, bob) == id_of(alice)


@pytest.mark.parametrize("way", ["leave", "forget"])
def test_a_present_person_becomes_host(playing: dict[str, Any], alice: Caller, bob: Caller, way: str) -> None:
    alice.delete("players/me" if way == "forget" else f"tables/{playing['id']}/seats/0")
    assert host_of(playing, bob) == id_of(bob)
