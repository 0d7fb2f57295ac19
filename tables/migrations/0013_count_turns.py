"""Which seats of matches that ended before this release were left, from their logs; for the players' records."""

from collections.abc import Iterator
from typing import Any
from uuid import UUID

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

AT_ONCE = 200

# As tables/outcome.py counts: a turn is what one seat does without a break, and calls belong to no turn.
NOTE_WHO_LEFT = """
with log as (
    select table_id, round_id, number, seat, by in ('bot', 'timeout') as by_others,
           lag(seat) over (partition by round_id order by number) is distinct from seat as begins
      from tables_move where table_id = any(%s) and text not like 'call %%'
), numbered as (
    select *, sum(begins::int) over (partition by round_id order by number) as turn from log
), turns as (
    select table_id, seat, bool_or(by_others) as by_others from numbered group by table_id, round_id, turn, seat
), left_to_others as (
    select table_id, seat from turns group by table_id, seat
    having 3 * count(*) filter (where not by_others) < 2 * count(*)
)
update tables_seat s set has_left = true
  from left_to_others l, players_player p
 where s.table_id = l.table_id and s.number = l.seat and p.id = s.player_id and p.kind = 'person'
"""
NOTE_HOSTS = """
update tables_seat s set has_left = true
  from tables_table t
 where t.id = s.table_id and t.host_id = s.player_id and t.started_at is not null
   and t.ended_reason = 'cancelled_by_host'
   and exists (select 1 from tables_seat o join players_player p on p.id = o.player_id
                where o.table_id = t.id and p.kind = 'person' and p.id <> t.host_id)
"""


def count_turns(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    finished = apps.get_model("tables", "Table").objects.filter(status="finished").order_by("pk")
    with schema_editor.connection.cursor() as cursor:
        cursor.execute(NOTE_HOSTS)
        for tables in chunks(finished):
            cursor.execute(NOTE_WHO_LEFT, [tables])


def chunks(tables: Any) -> Iterator[list[UUID]]:
    """No cursor is held: each chunk is asked for by the last id of the one before."""
    chunk = list(tables.values_list("pk", flat=True)[:AT_ONCE])
    while chunk:
        yield chunk
        chunk = list(tables.filter(pk__gt=chunk[-1]).values_list("pk", flat=True)[:AT_ONCE])


class Migration(migrations.Migration):
    dependencies = (("tables", "0012_seat_has_left"), ("players", "0001_initial"))
    atomic = False

    operations = (migrations.RunPython(count_turns, migrations.RunPython.noop),)
