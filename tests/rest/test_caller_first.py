"""The caller is checked before any other header, the query and the body."""

from typing import Any
from uuid import uuid4

import pytest

from tests.cases import for_each
from tests.cast import Caller, open_table
from tests.rest.checks import check_problem
from tests.rest.operations import Operation, operations
from tests.rest.wsgi import environ_of, through_wsgi

WRONG_KEYS = ("", "x" * 256, "short")
JUDGED_LATER: dict[str, dict[str, str]] = {
    **{f"key of {len(key)}": {"HTTP_IDEMPOTENCY_KEY": key} for key in WRONG_KEYS},
    "accept": {"HTTP_ACCEPT": "image/webp"},
    "if-match": {"HTTP_IF_MATCH": '"other"'},
    "last-event-id": {"HTTP_LAST_EVENT_ID": "yesterday"},
    "content type": {"CONTENT_TYPE": "a/b/c"},
    "no content type": {"CONTENT_TYPE": ""},
}
QUERY = "wait=x&limit=&after=-1&level=&status=nothing&cursor=%00&last_event_id=x&said=maybe&said=x"
ALL_WRONG = {name: value for each in JUDGED_LATER.values() for name, value in each.items()}


def needs_token(operation: Operation) -> bool:
    return {} not in operation.description.get("security", [{}])


def takes_token(operation: Operation) -> bool:
    return any(operation.description.get("security", []))


def ask(operation: Operation, table: dict[str, Any], wrong: dict[str, str], token: str | None = None) -> Any:
    ids = dict.fromkeys(("table_id", "player_id", "webhook_id", "session_id"), table["id"])
    path = f"/api/v1/{operation.at(**ids)}?{QUERY}"
    environ = environ_of(operation.method, path, b"{\xff") | wrong
    return through_wsgi(environ | ({"HTTP_AUTHORIZATION": f"Bearer {token}"} if token else {}))


@pytest.fixture
def table(alice: Caller) -> dict[str, Any]:
    return open_table(alice, visibility="public")


@for_each("operation", filter(needs_token, operations()))
def test_without_a_token_nothing_else_is_checked(operation: Operation, table: dict[str, Any]) -> None:
    for wrong in (*JUDGED_LATER.values(), ALL_WRONG):
        check_problem(ask(operation, table, wrong), 401, "not_authenticated")


@for_each("operation", filter(takes_token, operations()))
def test_with_an_unknown_token_nothing_else_is_checked(operation: Operation, table: dict[str, Any]) -> None:
    for wrong in (*JUDGED_LATER.values(), ALL_WRONG):
        check_problem(ask(operation, table, wrong, "made-up"), 401, "bad_token")


@pytest.fixture
def hidden(alice: Caller) -> dict[str, Any]:
    return open_table(alice, spectators="none")


@for_each("operation", filter(needs_token, operations()))
def test_without_a_token_a_known_and_an_unknown_table_look_the_same(
    operation: Operation, hidden: dict[str, Any]
) -> None:
    for table in (hidden, {"id": str(uuid4())}):
        check_problem(ask(operation, table, {}), 401, "not_authenticated")


def test_many_operations_need_a_token() -> None:
    assert len(list(filter(needs_token, operations()))) > 20


@pytest.mark.parametrize("key", WRONG_KEYS[:2])
def test_with_a_token_the_idempotency_key_is_checked(alice: Caller, key: str) -> None:
    check_problem(alice.post("tables", {}, Idempotency_Key=key), 400, "invalid")
