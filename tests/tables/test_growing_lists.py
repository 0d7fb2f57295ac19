"""Lists that cost no more with many tables: rows read by PostgreSQL are counted, among twenty thousand."""

from collections.abc import Callable
from typing import Any

import pytest
from django.contrib import admin
from django.core.paginator import Paginator
from django.db import connection
from django.db.models import Model
from django.test import Client
from django.urls import reverse

import rest.admin
from players.accounts import bots_of
from players.models import Player
from rest.admin import EstimatedCount
from runtime.redis_commands import RetryTime
from tables.models import Hand, Move, Round, Seat, Table
from tables.presenters.records import BOTS_RECORD_KEPT
from tests.cases import for_each
from tests.cast import Caller, join, open_table
from tests.matches import begin

MANY, FEW = 20_000, 2_000
GROWN = ("tables_table", "tables_seat", "tables_round", "tables_hand", "tables_move", "players_player")
GROW = """
set local session_replication_role = replica;
insert into players_player
       (id, kind, name, level, password, is_superuser, is_active, is_staff, has_webhooks, created_at)
     select gen_random_uuid(), 'person', 'P' || n, '', '!', false, true, false, false, now() - n * interval '1 minute'
       from generate_series(1, {many}) n;
insert into tables_table
       (id, name, status, preset, options, engine_version, visibility, spectators, invite_code, on_timeout, on_leave,
        bot_delay_ms, auto_pass, version, next_number, rounds_played, tile_counts, looks, hints, created_at, changed_at,
        record_headers, ended_reason, winners)
     select gen_random_uuid(), '', 'finished', 'classic', '{{}}', 1, 'private', 'open', 'X' || n, 'auto', 'easy',
            0, false, 1, 2, 1, '{{}}', 0, true, now() - n * interval '1 minute', now(), '[]', 'played', '{{0}}'
       from generate_series(1, {many}) n;
analyze tables_table;
insert into tables_seat (table_id, number, player_id, total, stand_in, stand_in_until, timeouts, client_seed)
     select id, 0, '{bot}', 0, '', '', 0, '' from tables_table where invite_code like 'X%';
insert into tables_round (table_id, number, secret, commitment, client_seeds, "order", dealt_at, ended_at, result)
     select id, 1, '', '', '{{}}', '', created_at, now(), '{{"ended": "out"}}' from tables_table
      where invite_code like 'X%';
analyze tables_seat, tables_round;
insert into tables_hand (round_id, seat_id, tiles, points)
     select r.id, s.id, '', 10 from tables_round r join tables_seat s using (table_id);
insert into tables_move (table_id, round_id, number, seat, text, by, at)
     select table_id, id, 1, 0, 'pass', 'bot', dealt_at from tables_round where result is not null;
set local session_replication_role = origin;
"""
READ = "select sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0)) from pg_stat_xact_user_tables"


@pytest.fixture
def bot(db: None) -> Player:
    """One that has played at thousands of tables."""
    bot = bots_of("easy")[0]
    with connection.cursor() as cursor:
        cursor.execute(GROW.format(many=MANY, bot=bot.pk).replace("%", "%%"), [])
        for name in GROWN:
            cursor.execute(f"analyze {name}")
    return bot


def rows_read(ask: Callable[[], Any]) -> int:
    before = read_so_far()
    ask()
    return read_so_far() - before


def read_so_far() -> int:
    with connection.cursor() as cursor:
        cursor.execute(READ)
        return int(cursor.fetchone()[0])


@pytest.fixture
def keeper(db: None) -> Client:
    client = Client()
    client.force_login(Player.objects.create_superuser("keeper", "a long password"))
    return client


def list_page(keeper: Client, model: type[Model], **query: Any) -> Any:
    listed = reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")
    answer = keeper.get(listed, query)
    assert answer.status_code == 200
    return answer.context["cl"]


@for_each("model", [Table, Seat, Round, Hand, Move, Player])
def test_the_admins_lists(model: type[Model], bot: Player, keeper: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rest.admin, "COUNTED", 100)
    assert rows_read(lambda: list_page(keeper, model)) < FEW


def test_the_admins_count_is_exact_when_small_and_estimated_when_large(
    bot: Player, keeper: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert list_page(keeper, Player, q="keeper").result_count == 1
    assert list_page(keeper, Table, status__exact="open").result_count == 0
    monkeypatch.setattr(rest.admin, "COUNTED", 100)
    roughly = list_page(keeper, Table).result_count
    assert MANY / 2 < roughly < MANY * 2
    assert len(list_page(keeper, Table, p=3).result_list) == 100


def test_every_list_of_the_admin_counts_in_this_way() -> None:
    for model, listed in admin.site._registry.items():
        if model._meta.app_label in {"tables", "players", "webhooks", "rest", "runtime", "knox"}:
            assert listed.paginator is EstimatedCount, model
            assert not listed.show_full_result_count, model
    assert issubclass(EstimatedCount, Paginator)


def test_the_list_of_tables(bot: Player, alice: Caller, bob: Caller, spectator: Caller) -> None:
    join(open_table(alice), bob)
    begin(bob, alice)
    open_table(bob, visibility="public")
    for query in ("", "?status=open", "?status=finished", "?visibility=public", "?limit=100"):
        for caller in (alice, spectator):
            assert rows_read(lambda: caller.get(f"tables{query}")) < FEW, query  # noqa: B023


def test_the_results_of_a_bot_are_cached(bot: Player, spectator: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(RetryTime, "asks_from", 0)
    first = spectator.get(f"players/{bot.pk}").body
    assert (first["matches"], first["wins"], first["average_points_a_round"]) == (MANY, MANY, 10.0)
    again: list[Any] = []
    assert rows_read(lambda: again.append(spectator.get(f"players/{bot.pk}").body)) < 10
    assert again == [first]
    assert BOTS_RECORD_KEPT < 3600


def test_the_results_of_a_person_are_current(alice: Caller, bob: Caller, spectator: Caller) -> None:
    assert alice.player is not None
    path = f"players/{alice.player.pk}"
    assert spectator.get(path).body["matches"] == 0
    Table.objects.filter(pk=begin(alice, bob)["id"]).update(status="finished", turn=None, winners=[0])
    assert spectator.get(path).body["matches"] == 1
