"""Snapshots in memory: found by table and version, stored only after the commit, and limited in number."""

from dataclasses import replace
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from rules.mexican_train.legality import legal_moves
from rules.mexican_train.notation import move_text
from rules.mexican_train.state import State
from tables import memory, repository
from tables import play as play_table
from tables.memory import Memory
from tables.refusals import Stale
from tables.snapshots import Snapshot
from tests.cast import Caller, play
from tests.matches import begin, heaviest, snapshot, step

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def table(alice: Caller, bob: Caller) -> dict[str, Any]:
    return begin(alice, bob)


def state_of(table: dict[str, Any]) -> State:
    state = snapshot(table).state
    assert isinstance(state, State)
    return state


def test_a_snapshot_is_loaded_once(table: dict[str, Any]) -> None:
    first = memory.load(UUID(table["id"]))
    assert first is not None
    assert memory.MEMORY.find(first.id, first.version) is first


def test_another_version_is_not_found(table: dict[str, Any]) -> None:
    first = memory.load(UUID(table["id"]))
    assert first is not None
    assert memory.MEMORY.find(first.id, first.version + 1) is None
    assert memory.MEMORY.find(first.id, None) is None
    step(table)
    later = memory.load(first.id, snapshot(table).version)
    assert later is not None
    assert later.version == first.version + 1


def test_the_snapshot_after_a_move_is_kept(table: dict[str, Any]) -> None:
    step(table)
    now = snapshot(table)
    kept = memory.MEMORY.find(now.id, now.version)
    assert kept == now
    assert "_replayed" in kept.__dict__  # so that the next move need not replay the round


def test_a_snapshot_is_not_kept_after_a_rollback(table: dict[str, Any]) -> None:
    before = snapshot(table)
    with transaction.atomic():
        step(table)
        transaction.set_rollback(True)
    assert memory.MEMORY.find(before.id, before.version + 1) is None
    assert snapshot(table) == before


def test_a_move_whose_table_is_in_memory_takes_two_statements(
    table: dict[str, Any], alice: Caller, bob: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(memory, "MEMORY", Memory[Snapshot](100))  # one that does not look whether it is right
    assert play(table, (alice, bob)[snapshot(table).turn or 0]).status == 201
    now = snapshot(table)
    body = {"move": move_text(heaviest(now)), "number": now.next_number}
    with CaptureQueriesContext(connection) as statements:
        assert (alice, bob)[now.turn or 0].post(f"tables/{table['id']}/moves", body).status == 201
    assert len(statements) == 2, [each["sql"] for each in statements]


def test_a_move_decided_on_an_old_version_is_refused(table: dict[str, Any]) -> None:
    """Another process has written a move, between the look at the version and the write."""
    while len(legal_moves(state_of(table))) < 2:
        step(table)
    old = snapshot(table)
    mover, move = old.seats[old.turn or 0].player, heaviest(old)
    other = next(each for each in legal_moves(state_of(table)) if each != move)
    assert play_table.submit_move(old.id, mover, move, old.next_number, timezone.now(), old.version).is_new
    new = snapshot(table)
    memory.MEMORY.keep(old)
    with pytest.raises(Stale):
        play_table.submit_move(old.id, mover, other, old.next_number, timezone.now(), old.version)
    assert snapshot(table) == new


def test_unknown_tables_are_not_kept(db: None) -> None:
    unknown = uuid4()
    assert memory.load(unknown) is None
    with transaction.atomic():
        assert memory.load(unknown, repository.lock(unknown)) is None


def test_the_least_recently_used_table_is_dropped(table: dict[str, Any]) -> None:
    small, first = Memory[Snapshot](2), snapshot(table)
    one, two, three = (replace(first, id=UUID(int=number)) for number in range(3))
    small.keep(one)
    small.keep(two)
    assert small.find(one.id, one.version) is one
    small.keep(three)
    assert [small.find(each.id, each.version) for each in (one, two, three)] == [one, None, three]


def test_a_table_is_presented_from_memory_until_it_changes(table: dict[str, Any], alice: Caller) -> None:
    before = alice.get(f"tables/{table['id']}").body
    kept = memory.ROWS.find(UUID(table["id"]), before["version"])
    assert kept is not None
    assert alice.get(f"tables/{table['id']}").body == before
    step(table)
    after = alice.get(f"tables/{table['id']}").body
    assert after["version"] == before["version"] + 1
    assert [seat["tile_count"] for seat in after["seats"]] != [seat["tile_count"] for seat in before["seats"]]


def test_only_members_see_the_invite_of_a_table_in_memory(table: dict[str, Any], alice: Caller, cleo: Caller) -> None:
    assert "invite" in alice.get(f"tables/{table['id']}").body
    assert memory.ROWS.find(UUID(table["id"]), snapshot(table).version) is not None
    assert "invite" not in cleo.get(f"tables/{table['id']}").body


def made_elsewhere(table: dict[str, Any], moves: int) -> Snapshot:
    """Play moves of which this process remembers nothing. Returns the table before them, replayed."""
    before = memory.load(UUID(table["id"]))
    assert before is not None
    assert before.state is not None
    for _ in range(moves):
        step(table)
    memory.MEMORY.keep(before)
    return before


@pytest.mark.parametrize("moves", [1, 2, 7])
def test_moves_of_another_process_are_replayed_from_the_stored_state(alice: Caller, bob: Caller, moves: int) -> None:
    before = made_elsewhere(begin(alice, bob, options={}), moves)
    later = memory.load(before.id)
    assert later is not None
    assert later.__dict__["_start"] == (before.state, 0)
    fresh = repository.load(before.id)
    assert fresh is not None
    assert (later, later.state, later.before_last_move) == (fresh, fresh.state, fresh.before_last_move)


def test_a_change_without_a_move_keeps_the_stored_states(table: dict[str, Any]) -> None:
    step(table)
    before = made_elsewhere(table, 0)
    later = repository.load(before.id)
    assert later is not None
    later.use_replay_of(before)
    assert later.state is before.state
    assert later.before_last_move is before.before_last_move


def test_another_deal_or_another_log_is_replayed_from_the_start(table: dict[str, Any]) -> None:
    before = made_elsewhere(table, 2)
    assert before.round is not None
    others = [
        replace(before, round=replace(before.round, number=before.round.number + 1)),
        replace(before, round=replace(before.round, moves=("pass",))),
        replace(before, options_text="{}"),
        replace(before, seats=before.seats[:1]),
    ]
    for other in others:
        other.__dict__["_replayed"] = (before.state, before.state)
        later = repository.load(before.id)
        assert later is not None
        later.use_replay_of(other)
        assert later.__dict__.keys().isdisjoint({"_start", "_replayed"})
