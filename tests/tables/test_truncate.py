"""The log in the database: no connection changes or deletes it, and only connections of the tests can empty it."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction
from django.db.backends.utils import CursorWrapper

from tables.models import Move, Table
from tests.cast import Caller, play

REFUSED = "The log of moves is append-only: {} refused."
EMPTIES = ["truncate tables_move", "truncate tables_table cascade", "truncate tables_round, tables_hand, tables_move"]
REWRITES = ["update tables_move set text = 'pass'", "delete from tables_move"]
UNSAID = ["set mexican_train.log = ''", "set mexican_train.log = 'kept'"]


@pytest.fixture
def moved(playing: dict[str, Any], alice: Caller) -> None:
    """A log of one move."""
    assert play(playing, alice).status == 201


def run(*statements: str) -> None:
    """In a transaction of their own, whose settings go with it."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("set constraints all immediate")  # what a fixture left to check would keep a table from it
        for statement in statements:
            cursor.execute(statement)


def check_refused(word: str, *statements: str) -> None:
    with pytest.raises(IntegrityError, match=REFUSED.format(word)):
        run(*statements)
    assert (Move.objects.count(), Table.objects.count()) == (1, 1)


@pytest.mark.parametrize("statement", EMPTIES)
@pytest.mark.parametrize("unsaid", UNSAID)
def test_an_ordinary_connection_cannot_empty_the_log(moved: None, statement: str, unsaid: str) -> None:
    check_refused("truncate", unsaid, statement)


@pytest.fixture
def servers_own(db: None) -> Iterator[CursorWrapper]:
    """A connection as the server makes it, which knows nothing of the setting."""
    fresh = connection.copy()
    fresh.settings_dict["OPTIONS"] = {
        name: value for name, value in connection.settings_dict["OPTIONS"].items() if name != "options"
    }
    with fresh.cursor() as cursor:
        cursor.execute("set lock_timeout = '5s'")
        yield cursor
    fresh.close()


@pytest.mark.parametrize("statement", EMPTIES)
def test_the_servers_connections_cannot_empty_the_log(servers_own: CursorWrapper, statement: str) -> None:
    with pytest.raises(IntegrityError, match=REFUSED.format("truncate")):
        servers_own.execute(statement)


@pytest.mark.parametrize("statement", EMPTIES)
def test_the_connections_of_the_tests_can_empty_the_log(moved: None, statement: str) -> None:
    run(statement)
    assert not Move.objects.exists()


@pytest.mark.parametrize("statement", REWRITES)
@pytest.mark.parametrize("said", ["", "may be emptied"])
def test_no_connection_can_change_the_log(moved: None, statement: str, said: str) -> None:
    check_refused(statement.split(maxsplit=1)[0], f"set mexican_train.log = '{said}'", statement)
