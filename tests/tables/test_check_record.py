"""``POST records/check``."""

import json
import time
from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client

from rest.bodies import MOST_ANYWHERE
from rest.throttles import CheckThrottle
from rules.records.json_form import document_of
from rules.records.text_form import record_in, text_of
from tables.api import records
from tests.cast import Answer, Caller, read
from tests.finished_matches.files import stored
from tests.rest import operations
from tests.rest.checks import check_problem, nothing_changes
from tests.rest.wsgi import environ_of, through_wsgi
from tests.rules.records import record_of_match
from tests.rules.test_record_format import BY_HAND, FROM_SERVER

LONGEST = record_of_match(stored("official_d18"))


def check(body: str | bytes, content_type: str = "text/plain") -> Answer:
    with nothing_changes():
        return read(Client().generic("POST", "/api/v1/records/check", body, content_type))


def check_json(document: Any) -> Answer:
    return check(json.dumps(document), "application/json")


def test_it_works(db: None) -> None:
    answer = check(BY_HAND)
    assert (answer.status, answer.body) == (
        200,
        {
            "valid": True,
            "finished": True,
            "rounds": 1,
            "moves": 18,
            "totals": [8, 0],
            "winners": [1],
            "fair": "not_stated",
        },
    )


def test_text_and_json_have_the_same_answer(db: None) -> None:
    document = document_of(record_in(FROM_SERVER))
    assert check(FROM_SERVER).body == check_json(document).body == check(json.dumps(document)).body
    assert check(FROM_SERVER).body["fair"] == "verified"


def test_an_illegal_move_is_reported_with_its_place(db: None) -> None:
    answer = check(BY_HAND.replace("2. 1: 6-2>1", "2. 1: 6-4>1"))
    assert (answer.status, answer.body["valid"]) == (200, False)
    fault = answer.body["fault"]
    assert fault["where"] == {"round": 1, "number": 2, "line": 19, "column": 7, "field": None}
    assert (fault["code"], fault["reason"], fault["option"]) == ("illegal_move", "tile_not_held", None)
    assert fault["detail"].endswith("That tile is not in this seat's hand.")


def test_the_option_that_decides_is_named(db: None) -> None:
    fault = check(BY_HAND.replace("option rounds 1", "option rounds 1\noption mexican_start never")).body["fault"]
    assert (fault["reason"], fault["option"]) == ("no_such_train", "mexican_start")


def test_a_fault_in_json_is_reported_with_its_field(db: None) -> None:
    document: Any = document_of(record_in(FROM_SERVER))
    document["rounds"][0]["points"][0] += 1
    fault = check_json(document).body["fault"]
    assert (fault["code"], fault["where"]["round"]) == ("wrong_points", 1)
    assert (fault["where"]["field"], fault["where"]["line"]) == ("rounds.0.points", None)


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ("nonsense", 1, 1),
        (BY_HAND.replace("draw 2-0>1", "draw 2+0>1"), 23, 12),
        (BY_HAND.replace("winners 1", "winner 1"), 33, 1),
        (BY_HAND.replace('seat 1 "Bob"', 'seat 1 "Bob'), 11, 8),
    ],
)
def test_a_text_that_cannot_be_read_is_refused_with_its_place(db: None, text: str, line: int, column: int) -> None:
    answer = check(text)
    check_problem(answer, 400, "unreadable_record")
    (error,) = answer.body["errors"]
    assert (error["line"], error["column"], error["code"]) == (line, column, "unreadable")


@pytest.mark.parametrize(
    ("document", "field"),
    [
        ({}, "mexican_train"),
        ([], ""),
        ({"mexican_train": 1, "seat": []}, "seat"),
        ({"mexican_train": 1, "seats": [{"name": 7}, {}], "rounds": []}, "seats.0.name"),
    ],
)
def test_json_that_is_not_a_record_is_refused(db: None, document: Any, field: str) -> None:
    answer = check_json(document)
    check_problem(answer, 400, "unreadable_record")
    assert [error["field"] for error in answer.body["errors"]] == [field]


def test_an_empty_body_is_refused(db: None) -> None:
    for kind in ("text/plain", "application/json"):
        check_problem(check("", kind), 400, "unreadable_record")


def test_a_higher_version_is_refused(db: None) -> None:
    for answer in (check('[MexicanTrain "2"]'), check_json({"mexican_train": 2})):
        check_problem(answer, 400, "unreadable_record")
        assert answer.body["errors"][0]["code"] == "unknown_version"
        assert "the supported version is 1" in answer.body["detail"]


def test_a_body_that_is_not_json_or_not_utf_8_is_refused(db: None) -> None:
    check_problem(check("{", "application/json"), 400, "unreadable_body")
    check_problem(check(b"\xff\xfe"), 400, "unreadable_body")
    answer = check('{"mexican_train": 1,')
    check_problem(answer, 400, "unreadable_record")
    assert answer.body["errors"][0]["line"] == 1


@pytest.mark.parametrize("kind", ["application/x-www-form-urlencoded", "text/html", "multipart/form-data; boundary=x"])
def test_other_media_types_are_refused(db: None, kind: str) -> None:
    check_problem(check(BY_HAND, kind), 415, "unsupported_media_type")


def test_the_longest_possible_match_is_accepted(db: None) -> None:
    """Larger than any other body may be, and checked in less than a second or two."""
    text, document = text_of(LONGEST), json.dumps(document_of(LONGEST), indent=1)
    assert 64 * 1024 < len(text) < len(document) < MOST_ANYWHERE
    began = time.thread_time()
    assert check(text).body["moves"] == check(document, "application/json").body["moves"] == 3199
    assert time.thread_time() - began < 8


def test_a_longer_body_is_refused_unread(db: None) -> None:
    assert check(BY_HAND.ljust(MOST_ANYWHERE)).status == 200
    check_problem(check(BY_HAND.ljust(MOST_ANYWHERE + 1)), 413, "body_too_large")


def test_other_calls_keep_the_usual_limit(db: None) -> None:
    for path in ("tables", "records/check/", "records", "nowhere"):
        answer = read(Client().generic("POST", f"/api/v1/{path}", b" " * 70_000, "application/json"))
        check_problem(answer, 413, "body_too_large")


@pytest.mark.parametrize(("more", "status"), [(0, 200), (1, 413)])
def test_a_body_in_chunks(db: None, more: int, status: int) -> None:
    environ = environ_of("POST", "/api/v1/records/check", BY_HAND.ljust(MOST_ANYWHERE + more).encode())
    del environ["CONTENT_LENGTH"]
    answer = through_wsgi(environ | {"HTTP_TRANSFER_ENCODING": "chunked", "CONTENT_TYPE": "text/plain"})
    assert answer.status == status


HEAVY = {
    "moves": BY_HAND + "1: draw\n" * 120_000,
    "tiles": BY_HAND.replace("boneyard", "boneyard " + "0-0 " * 200_000),
    "escapes": BY_HAND.replace('seat 1 "Bob"', 'seat 1 "' + '\\"' * 400_000),
    "a lone escape": BY_HAND.replace('seat 1 "Bob"', 'seat 1 "' + '\\"' * 400_000 + "\\"),
    "rounds": BY_HAND + "round 2\n" * 100_000,
    "seats": '[MexicanTrain "1"]\n' + "seat 0\n" * 120_000,
    "headers": '[MexicanTrain "1"]\n' + "".join(f'[a{at} "x"]\n' for at in range(60_000)),
    "brackets": "option rounds " + "[" * 900_000,
    "digits": "option rounds " + "9" * 900_000,
    "one word": "x" * 1_000_000,
    "blanks": " " * 500_000 + "\t" * 500_000,
    "lines": "\n" * 1_000_000,
}


@pytest.mark.parametrize("name", HEAVY)
def test_no_body_takes_long_to_check(db: None, name: str) -> None:
    began = time.thread_time()
    answer = check(HEAVY[name])
    assert time.thread_time() - began < 2
    assert answer.status == 400 or not answer.body["valid"]


def test_too_many_checks_are_refused(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(CheckThrottle, "THROTTLE_RATES", {"caller": None, "check": "1/hour"})
    monkeypatch.setattr(CheckThrottle, "timer", lambda _: time.time() + hash(monkeypatch) % 10**9 * 3600)
    assert check(BY_HAND).status == 200
    answer = check(BY_HAND)
    check_problem(answer, 429, "too_many_requests")
    assert int(answer.headers["Retry-After"]) > 0


def test_one_record_is_checked_at_a_time(alice: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(records, "PATIENCE", 0.01)
    document = document_of(record_in(BY_HAND))
    with records.CHECKING:
        answer = alice.post("records/check", document)
    check_problem(answer, 503, "unavailable")
    assert int(answer.headers["Retry-After"]) > 0
    assert alice.post("records/check", document).body["valid"]


@pytest.mark.parametrize("body", [BY_HAND, "nonsense", '[MexicanTrain "1"]', "\xff"])
def test_after_a_fault_the_next_record_is_checked(db: None, body: str) -> None:
    check(body)
    assert not records.CHECKING.locked()


def test_a_bad_token_is_refused(db: None) -> None:
    answer = Caller("nonsense").post("records/check", {})
    check_problem(answer, 401, "bad_token")


def members_of(name: str, document: Any) -> Iterator[tuple[Any, str, bool]]:
    """Each member that a schema has, with the map that it stands in and whether it may be null there."""
    schema = operations.schema()["components"]["schemas"][name]
    for member, told in schema["properties"].items():
        may_be_null = "null" in (told.get("type") or ()) or {"type": "null"} in told.get("oneOf", told.get("anyOf", []))
        yield document, member, may_be_null


def test_a_member_may_be_null_where_the_schema_says_so(db: None) -> None:
    document = json.loads(json.dumps(document_of(record_in(FROM_SERVER))))
    places = [("RecordAnswer", document), ("RecordSeat", document["seats"][1]), ("RecordRound", document["rounds"][0])]
    places.append(("RecordMove", document["rounds"][0]["moves"][0]))
    for name, part in places:
        for target, member, may_be_null in list(members_of(name, part)):
            kept = dict(target)
            target[member] = None
            if member == "secret":  # without a secret, its commitment proves nothing
                target |= {"commitment": None, "client_seeds": []}
            answer = check_json(document)
            assert answer.status == (200 if may_be_null else 400), f"{name}.{member}: {answer.text}"
            target.clear()
            target.update(kept)
    assert check_json(document).body["valid"]
