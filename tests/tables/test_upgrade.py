"""Rounds during an upgrade: processes of the previous release write columns that this release stores as one column."""

from typing import Any

import pytest
from django.db import connection

from tables.models import Round
from tests.cast import Caller
from tests.matches import begin

DEALT = {"engine": 6, "first_seat": 0, "starter": 1}


@pytest.fixture
def dealt(alice: Caller, bob: Caller) -> Round:
    table = begin(alice, bob)
    return Round.objects.get(table=table["id"], number=1)


def old_columns(dealt: Round) -> dict[str, Any]:
    with connection.cursor() as cursor:
        cursor.execute("select engine, first_seat, starter from tables_round where id = %s", [dealt.pk])
        return dict(zip(DEALT, cursor.fetchone(), strict=True))


def write_old_columns(dealt: Round, **columns: Any) -> None:
    with connection.cursor() as cursor:
        for name, value in columns.items():
            cursor.execute(f"update tables_round set {name} = %s where id = %s", [value, dealt.pk])


def test_a_deal_of_this_release_is_in_the_old_columns_too(dealt: Round) -> None:
    assert old_columns(dealt) == {name: dealt.facts[name] for name in DEALT}


def test_a_deal_of_the_previous_release_fills_the_facts(dealt: Round) -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "update tables_round set facts = '{}', engine = null, first_seat = null, starter = null where id = %s",
            [dealt.pk],
        )
        cursor.execute("update tables_round set engine = 6, first_seat = 0, starter = 1 where id = %s", [dealt.pk])
    dealt.refresh_from_db()
    assert dealt.facts == DEALT == old_columns(dealt)


def test_a_change_by_the_previous_release_changes_the_facts(dealt: Round) -> None:
    write_old_columns(dealt, starter=1 - dealt.facts["starter"])
    changed = dealt.facts | {"starter": 1 - dealt.facts["starter"]}
    dealt.refresh_from_db()
    assert dealt.facts == changed


def test_a_change_by_this_release_changes_the_old_columns(dealt: Round) -> None:
    dealt.facts["first_seat"] = 1 - dealt.facts["first_seat"]
    dealt.save(update_fields=("facts",))
    assert old_columns(dealt)["first_seat"] == dealt.facts["first_seat"]


def test_facts_of_another_game_leave_the_old_columns_empty(dealt: Round) -> None:
    write_old_columns(dealt, engine=None, first_seat=None, starter=None)
    Round.objects.filter(pk=dealt.pk).update(facts={"first_seat": 2})
    dealt.refresh_from_db()
    assert dealt.facts == {"first_seat": 2}
