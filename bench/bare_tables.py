"""Rows for the bare endpoints: a copy of every measured table, with its position as a stored document."""

import json
from collections.abc import Iterable

from bench.stage import Match

SCHEMA = """
create table if not exists bare_table (id uuid primary key, version int not null, state jsonb not null);
create table if not exists bare_token (
    id bigint generated always as identity primary key, key varchar(128) not null unique,
    table_id uuid not null references bare_table, seat int not null
);
create table if not exists bare_move (
    id bigint generated always as identity primary key, table_id uuid not null references bare_table,
    number int not null, seat int not null, text varchar(16) not null, at timestamptz not null default now(),
    unique (table_id, number)
);
"""


def copy(matches: Iterable[Match]) -> None:
    """Copy tables and tokens for the bare endpoints, each with the position presented to its first person now."""
    from django.core.serializers.json import DjangoJSONEncoder
    from django.db import connection
    from django.utils import timezone

    from tables import repository
    from tables.presenters.positions import present_position

    with connection.cursor() as cursor:
        cursor.execute(SCHEMA)
        for match in matches:
            snapshot = repository.load(match.table)
            assert snapshot is not None
            player = next(filter(None, match.players))
            state = json.dumps(present_position(snapshot, player.id, timezone.now()), cls=DjangoJSONEncoder)
            cursor.execute("insert into bare_table values (%s, %s, %s)", [match.table, snapshot.version, state])
            for seat, token in enumerate(match.tokens):
                if token:
                    cursor.execute(
                        "insert into bare_token (key, table_id, seat) values (%s, %s, %s)", [token, match.table, seat]
                    )
