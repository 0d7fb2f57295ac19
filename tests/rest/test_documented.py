"""The test client finds every answer that the schema does not describe."""

from typing import Any

import pytest

from rest.problem_documents import document_of
from rest.problems import BadToken, NoToken, Problem
from tables.refusals import NotHost
from tests.cast import JSON, Answer, Caller
from tests.contract import check_documented
from tests.rest.checks import check_refused
from tests.rest.operations import operations

PROBLEM = "application/problem+json"


class Teapot(Problem):
    status, code, detail = 418, "teapot", ""


def answer(status: int, body: Any, kind: str = PROBLEM) -> Answer:
    return Answer(status, body, {"Content-Type": kind}, str(body or ""))


@pytest.mark.parametrize(
    "given",
    [
        answer(418, document_of(Teapot())),
        answer(403, document_of(NotHost())),
        answer(401, document_of(NoToken())),
        answer(200, [], "text/html"),
        answer(200, document_of(BadToken()) | {"status": 200}),
        answer(200, None),
        answer(200, [{"mood": "merry"}], JSON),
    ],
    ids=["status", "refusal of others", "code", "kind", "refusal for an answer", "no body", "field"],
)
def test_an_undocumented_answer_is_found(given: Answer) -> None:
    with pytest.raises(AssertionError):
        check_documented("GET", "bots", given)


@pytest.mark.parametrize(
    "body", [{"turn": {"mood": 1}}, {"trains": [{"mood": 1}]}, {"you": {"legal_moves": [{"mood": 1}]}}]
)
def test_a_field_that_the_schema_does_not_have_is_found_wherever_it_is(body: dict[str, Any]) -> None:
    with pytest.raises(AssertionError, match="mood"):
        check_documented("GET", "tables/0b9ad7ac-1f7f-4f5b-9b37-6b8d0a3d2c11/position", answer(200, body, JSON))


@pytest.mark.parametrize("given", [answer(200, [{}], JSON), answer(401, document_of(BadToken()))])
def test_a_documented_answer_passes(given: Answer) -> None:
    check_documented("GET", "bots?x=1", given)


@pytest.mark.parametrize(("method", "path"), [("GET", "nowhere"), ("PUT", "bots")])
def test_an_address_without_an_operation_is_not_checked(method: str, path: str) -> None:
    check_documented(method, path, answer(418, {}))


@pytest.mark.parametrize(
    ("name", "needs_token"),
    [("open_table", True), ("me", True), ("tables", False), ("register_guest", False)],
)
def test_the_schema_says_which_operations_need_a_token(name: str, needs_token: bool) -> None:
    (operation,) = (each for each in operations() if each.id == name)
    assert ({} not in operation.description["security"]) == needs_token


def test_if_match_is_compared_with_the_etag(spectator: Caller) -> None:
    check_refused(lambda: spectator.get("rules/presets", If_Match='"other"'), 412, "precondition_failed")
    tag = spectator.get("rules/presets").headers["ETag"]
    assert spectator.get("rules/presets", If_Match=tag).status == 200


def test_only_accept_chooses_the_media_type(spectator: Caller) -> None:
    assert spectator.get("bots?format=xml").status == 200
