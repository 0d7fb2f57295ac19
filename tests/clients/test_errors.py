"""Refusals become errors by their code; an unknown code gives the error class of its status."""

import pickle
from typing import Any

import pytest

import mexican_train
from mexican_train import ProblemError, errors
from mexican_train.errors import BY_CODE, refusal
from mexican_train.reading import Unreadable
from tests.examples import answer_of
from tests.rest.operations import schema

POSITION = answer_of("position")


def problem(status: int, code: str, **more: Any) -> dict[str, Any]:
    return {"type": "x", "title": "x", "status": status, "detail": "No.", "code": code, **more}


@pytest.mark.parametrize(
    ("status", "code", "kind"),
    [
        (409, "stale", errors.Stale),
        (422, "illegal_move", errors.IllegalMove),
        (400, "unreadable_move", errors.UnreadableMove),
        (400, "new", errors.Invalid),
        (401, "new", errors.NotAuthenticated),
        (403, "hints_off", errors.Forbidden),
        (403, "removed_by_host", errors.Forbidden),
        (404, "unknown_code", errors.NotFound),
        (409, "player_present", errors.PlayerPresent),
        (409, "already_registered", errors.AlreadyRegistered),
        (409, "too_many_tables", errors.TooManyTables),
        (409, "back_next_round", errors.Conflict),
        (404, "unknown_invite", errors.NotFound),
        (409, "new", errors.Conflict),
        (429, "too_many_requests", errors.RateLimited),
        (503, "unavailable", errors.Unavailable),
        (418, "teapot", ProblemError),
    ],
)
def test_it_works(status: int, code: str, kind: type[ProblemError]) -> None:
    error = refusal(problem(status, code), 7)
    assert type(error) is kind
    assert (error.code, error.status, error.detail, error.retry_after) == (code, status, "No.", 7)
    assert (str(error), error.position, error.errors) == (f"{code}: No.", None, ())


def test_an_illegal_move_has_its_reason_and_the_legal_moves() -> None:
    legal = [
        {"move": "draw", "type": "draw"},
        {"move": "12-7>0", "type": "play", "tile": "12-7", "train": "0", "new": 1},
    ]
    error = refusal(problem(422, "illegal_move", reason="must_play", legal_moves=legal))
    assert isinstance(error, errors.IllegalMove)
    assert (error.reason, [move.tile for move in error.legal_moves]) == ("must_play", [None, "12-7"])
    assert error.legal_moves[1].raw["new"] == 1


@pytest.mark.parametrize("wrong", [[], {}, {"code": ["stale"]}, {"code": 7}, {"status": "409"}, "stale"])
def test_an_answer_that_is_not_a_problem_document_gives_no_problem(wrong: Any) -> None:
    document = problem(409, "stale") | wrong if isinstance(wrong, dict) and wrong else wrong
    with pytest.raises(Unreadable):
        refusal(document)


def test_a_missing_position_is_none() -> None:
    assert refusal(problem(409, "stale", position=None)).position is None


def test_a_stale_move_has_the_position() -> None:
    error = refusal(problem(409, "stale", position=POSITION))
    assert error.position
    assert error.position.next_number == POSITION["next_number"]


def test_wrong_fields_are_named() -> None:
    error = refusal(problem(400, "invalid", errors=[{"field": "bots.0.level", "code": "x", "detail": "y"}]))
    assert [(each.field, each.code, each.detail) for each in error.errors] == [("bots.0.level", "x", "y")]


def test_a_fault_of_a_record_has_its_place() -> None:
    place = {"field": "", "code": "unreadable", "detail": "y", "line": 3, "column": 7}
    (told,) = refusal(problem(400, "unreadable_record", errors=[place])).errors
    assert (told.line, told.column) == (3, 7)


def test_an_error_goes_through_pickle_as_between_processes() -> None:
    error = refusal(problem(409, "stale", position=POSITION), 3)
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), again.problem, again.retry_after) == (errors.Stale, error.problem, 3)


@pytest.mark.parametrize("body", [None, [], {}, {"code": "x"}, {"code": "x", "status": "409"}, {"status": 409}])
def test_other_errors_have_no_problem(body: Any) -> None:
    with pytest.raises(ValueError, match="a problem has"):
        refusal(body)


def test_the_codes_are_those_of_the_server() -> None:
    assert BY_CODE.keys() <= set(schema()["components"]["schemas"]["ProblemCode"]["enum"])


def test_every_error_can_be_imported_from_the_package() -> None:
    kinds = {name for name, each in vars(errors).items() if isinstance(each, type) and issubclass(each, Exception)}
    assert kinds - {"Unreadable"} <= set(mexican_train.__all__)
