"""Bodies that arrive slowly or not at all, and bodies that the schema does not allow."""

import io
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from rest.bodies import MOST_DIGITS
from tests.cast import Caller, read
from tests.rest.checks import check_problem, nothing_changes
from tests.rest.wsgi import environ_of, through_wsgi


class Arriving(io.BytesIO):
    """A body that notes how many statements had been made when it was read."""

    def __init__(self, body: bytes, made: CaptureQueriesContext) -> None:
        super().__init__(body)
        self.made, self.seen = made, list[int]()

    def read(self, size: int | None = -1) -> bytes:
        self.seen.append(len(self.made))
        return super().read(size)


class Torn(io.BytesIO):
    def read(self, size: int | None = -1) -> bytes:
        raise ConnectionResetError


def test_a_body_is_read_before_the_first_query(alice: Caller) -> None:
    """Or somebody who sends slowly would keep a connection of those that all share."""
    with CaptureQueriesContext(connection) as made:
        body = Arriving(b"{}", made)
        environ = environ_of("POST", "/api/v1/tables", b"{}") | {"wsgi.input": body}
        answer = through_wsgi(environ | {"HTTP_AUTHORIZATION": f"Bearer {alice.token}"})
    assert (answer.status, set(body.seen)) == (201, {0})
    assert len(made) > 0


def test_a_body_that_does_not_arrive_is_refused(alice: Caller) -> None:
    environ = environ_of("POST", "/api/v1/tables", b"{}") | {"wsgi.input": Torn()}
    check_problem(through_wsgi(environ), 400, "unreadable_body")


@pytest.mark.parametrize(("method", "path"), [("POST", "players/guest"), ("DELETE", "players/me"), ("POST", "tables")])
def test_a_body_that_does_not_arrive_whole_is_refused(alice: Caller, method: str, path: str) -> None:
    """A part of a body could have another meaning."""
    environ = environ_of(method, f"/api/v1/{path}", b'{"name": "q"}')
    environ |= {"CONTENT_LENGTH": "40", "HTTP_AUTHORIZATION": f"Bearer {alice.token}"}
    check_problem(through_wsgi(environ), 400, "unreadable_body")
    assert alice.get("players/me").status == 200


@pytest.mark.parametrize("body", ['{"no": 1, "name": "Ann", "name": "Bob"}', '{"a": [{"b": {"name": 1, "name": 1}}]}'])
def test_a_repeated_name_in_one_object_is_refused(db: None, body: str) -> None:
    with nothing_changes():
        answer = read(Client().generic("POST", "/api/v1/players/guest", body, "application/json"))
    check_problem(answer, 400, "unreadable_body")
    assert answer.body["detail"] == 'The field "name" occurs twice in one object.'


def test_a_number_with_too_many_digits_is_valid_json(alice: Caller) -> None:
    client = Client()
    headers = {"Authorization": f"Bearer {alice.token}"}
    body = '{"seats": ' + "9" * 5000 + "}"
    answer = client.post("/api/v1/tables", body, content_type="application/json", headers=headers)
    assert answer.status_code == 400
    assert answer.json()["code"] == "unreadable_body"
    assert answer.json()["detail"] == "A number in this body is out of range."


def test_the_longest_readable_number_is_too_high_for_its_field(alice: Caller) -> None:
    body = f'{{"seats": {"9" * MOST_DIGITS}}}'
    headers = {"Authorization": f"Bearer {alice.token}"}
    answer = read(Client().post("/api/v1/tables", body, content_type="application/json", headers=headers))
    check_problem(answer, 400, "invalid")
    assert [each["field"] for each in answer.body["errors"]] == ["seats"]


@pytest.mark.parametrize("seats", ["4", True, 4.5, [4], {}])
def test_a_text_or_a_boolean_is_not_a_number(alice: Caller, seats: Any) -> None:
    check_problem(alice.post("tables", {"seats": seats}), 400, "invalid")


def test_a_number_may_be_written_with_a_point(alice: Caller) -> None:
    assert len(alice.post("tables", {"seats": 3.0}).body["seats"]) == 3


@pytest.mark.parametrize("auto_pass", ["true", "false", 1, 0, "on", None])
def test_a_boolean_is_true_or_false(alice: Caller, auto_pass: Any) -> None:
    check_problem(alice.post("tables", {"auto_pass": auto_pass}), 400, "invalid")


@pytest.mark.parametrize("name", [5, 1.5, True, None])
def test_a_number_is_not_a_text(alice: Caller, name: Any) -> None:
    check_problem(alice.post("tables", {"name": name}), 400, "invalid")
