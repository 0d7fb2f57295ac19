"""PostgreSQL's own limits: a process that freezes, or a statement that takes too long, blocks others only briefly."""

import os
import subprocess
import sys
from select import select
from typing import Any

import psycopg
import pytest
from django.db import OperationalError, connection, transaction

from config.connections import time_limits
from local import ROOT
from tables.models import Table
from tests.at_once import await_blocked, threads
from tests.cast import Answer, Caller, play
from tests.matches import begin
from tests.rest.checks import check_problem

pytestmark = pytest.mark.django_db(transaction=True)
LIMITS = ("statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout")


def limits_of_a_session() -> list[str]:
    with connection.cursor() as cursor:
        cursor.execute("select current_setting(name) from unnest(%s::text[]) name", [list(LIMITS)])
        return [limit for (limit,) in cursor.fetchall()]


def test_web_and_workers_have_limits() -> None:
    assert limits_of_a_session() == ["150s", "15s", "75s"]


def test_with_0_there_are_no_limits_and_other_options_stay() -> None:
    assert time_limits(0, "-c x=y").split("-c ")[1:] == [*(f"{name}=0 " for name in LIMITS), "x=y"]


@pytest.mark.slow
def test_manage_py_has_no_limits() -> None:
    told = "import tests.config.test_time_limits as here; print(here.limits_of_a_session())"
    command = [sys.executable, "manage.py", "shell", "--verbosity", "0", "--command", told]
    environment = {**os.environ, "STATEMENT_SECONDS": "5"}
    said = subprocess.run(command, check=True, cwd=ROOT, env=environment, capture_output=True, text=True).stdout
    assert said == "['0', '0', '0']\n"


def frozen(table: dict[str, Any], **limits: Any) -> "psycopg.Connection[Any]":
    """The session of a process that has locked a table and asks nothing more."""
    given = connection.get_connection_params()
    session = psycopg.connect(
        **{name: given[name] for name in ("dbname", "user", "host") if name in given}, options=time_limits(**limits)
    )
    session.execute("select 1 from tables_table where id = %s for update", [table["id"]])
    return session


def test_the_lock_of_a_frozen_process_is_released(alice: Caller, bob: Caller) -> None:
    table = begin(alice, bob)
    with frozen(table, seconds=1) as session, threads() as start:
        assert start(lambda: play(table, alice).status).result(20) == 201
        with pytest.raises(psycopg.errors.IdleInTransactionSessionTimeout):
            session.execute("select 1")


def test_a_process_that_was_frozen_gets_503_for_its_transaction(alice: Caller) -> None:
    """PostgreSQL does not call this an operational error."""

    def freeze_after(execute: Any, sql: str, *args: Any) -> Any:
        came = execute(sql, *args)
        if sql.startswith("INSERT") and "tables_table" in sql:
            connection.connection.execute("set local idle_in_transaction_session_timeout = '1ms'")
            select([connection.connection], [], [], 5)
        return came

    def ask() -> Answer:
        with connection.execute_wrapper(freeze_after):
            return alice.post("tables", {})

    with threads() as start:
        check_problem(start(ask).result(20), 503, "unavailable")
    assert not Table.objects.exists()


def test_a_request_that_waits_too_long_for_a_lock_gets_503(alice: Caller, bob: Caller) -> None:
    table = begin(alice, bob)

    def move() -> Any:
        with connection.cursor() as cursor:
            cursor.execute("set lock_timeout = '200ms'")
        return play(table, alice)

    with frozen(table, seconds=0), threads() as start:
        answer = start(move)
        await_blocked(1)
        check_problem(answer.result(20), 503, "unavailable")


def test_a_statement_that_takes_too_long_is_ended() -> None:
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("set local statement_timeout = '50ms'")
        with pytest.raises(OperationalError, match="statement timeout"), transaction.atomic():
            cursor.execute("select pg_sleep(5)")
