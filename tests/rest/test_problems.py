"""Refusals: RFC 9457 problems, one shape for every kind."""

import json
import time
from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.test import Client, RequestFactory

from rest.bodies import MOST_BYTES
from rest.error_pages import bad_request, permission_denied, server_error
from rest.throttles import CallerThrottle
from runtime.redis_commands import LEFT_ALONE, RetryTime, client
from tests.cast import Answer, Caller, guest, open_table, read
from tests.rates import limit
from tests.rest.checks import check_problem, check_refused, together
from tests.rest.wsgi import environ_of, through_wsgi

ADDRESS = "/api/v1/players/guest"
GUEST = {"name": "Alice"}


def raw(method: str, path: str, body: bytes | str = b"", content_type: str = "application/json", **meta: str) -> Answer:
    return read(Client().generic(method, path, body, content_type, **meta))  # type: ignore[arg-type]


def test_it_works(spectator: Caller) -> None:
    answer = check_refused(lambda: spectator.post("players/guest", {"name": ""}), 400, "invalid", "name")
    assert answer.body["title"] == "Bad Request"
    (error,) = answer.body["errors"]
    assert error == {"field": "name", "code": "blank", "detail": "This field may not be blank."}
    assert answer.body["detail"] == "name: This field may not be blank."


@pytest.mark.parametrize(
    "body",
    [b"{", b"", b"nonsense", b"\xff\xfe", b'{"name": "\xff"}', b'{"name": NaN}', b'{"name": 1e999}', b"[" * 9999],
)
def test_a_body_that_cannot_be_read(db: None, body: bytes) -> None:
    answer = check_refused(lambda: raw("POST", ADDRESS, body), 400, "unreadable_body" if body else "invalid")
    assert ("errors" in answer.body) == (not body)


@pytest.mark.parametrize("body", ['{"name": "\\ud800"}', '{"\\udfff": 1, "name": "x"}', '[{"a": ["\\ud800"]}]'])
def test_half_a_surrogate_pair(db: None, body: str) -> None:
    check_refused(lambda: raw("POST", ADDRESS, body), 400, "unreadable_body")


@pytest.mark.parametrize("body", ["[" * 40 + "]" * 40, '{"a":' * 40 + "1" + "}" * 40, "[" * 30_000])
def test_deep_nesting(db: None, body: str) -> None:
    answer = check_refused(lambda: raw("POST", ADDRESS, body), 400, "unreadable_body")
    assert "deep" in answer.body["detail"]


def test_a_whole_surrogate_pair_is_a_letter(db: None) -> None:
    answer = raw("POST", ADDRESS, '{"name": "\\ud83d\\ude82"}')
    assert (answer.status, answer.body["player"]["name"]) == (201, "🚂")


@pytest.mark.parametrize("charset", ["zlib", "bz2", "rot13", "base64", "utf-16", "undefined", "no-such", "latin-1"])
def test_a_json_body_is_read_as_unicode_whatever_its_charset(db: None, charset: str) -> None:
    environ = environ_of("POST", ADDRESS + "?a=%C3%BC", '{"name": "Zoë"}'.encode())
    answer = through_wsgi(environ | {"CONTENT_TYPE": f"application/json; charset={charset}"})
    assert (answer.status, answer.body["player"]["name"]) == (201, "Zoë")


def test_without_a_token(spectator: Caller) -> None:
    answer = check_refused(lambda: spectator.post("tables", {}), 401, "not_authenticated")
    assert answer.headers["WWW-Authenticate"] == "Bearer"


@pytest.mark.parametrize(
    "header", ["Bearer", "Bearer x", "Basic YTpi", "Bearer a b", "\xff\xfe", "Bearer \xfc", "x" * 9000]
)
@pytest.mark.parametrize("path", ["tables", "players/me", "position"])
def test_a_bad_token(alice: Caller, header: str, path: str) -> None:
    table = open_table(alice)
    path = f"tables/{table['id']}/position" if path == "position" else path
    answer = check_refused(lambda: Caller().get(path, Authorization=header), 401, "bad_token")
    assert answer.headers["WWW-Authenticate"] == "Bearer"


def test_a_forbidden_action_is_403(alice: Caller, bob: Caller) -> None:
    table = open_table(alice)
    check_refused(lambda: bob.post(f"tables/{table['id']}/start"), 403, "not_host")


@pytest.mark.parametrize(
    "path", ["/nowhere", "/api/v1/nowhere", "/api/v1/tables/1", "/api/v1/", "/api/v1/tables/", "/%00"]
)
def test_an_unknown_address_is_404(db: None, path: str) -> None:
    check_refused(lambda: raw("GET", path), 404, "not_found")


def test_an_unknown_table(alice: Caller) -> None:
    check_refused(lambda: alice.get(f"tables/{uuid4()}"), 404, "not_found")


@pytest.mark.parametrize("method", ["GET", "PUT", "DELETE", "PATCH", "TRACE", "NONSENSE"])
def test_an_unsupported_method_is_405(db: None, method: str) -> None:
    answer = check_refused(lambda: raw(method, ADDRESS), 405, "method_not_allowed")
    assert "POST" in answer.headers["Allow"]


@pytest.mark.parametrize("path", [ADDRESS, "/api/v1/docs", "/api/v1/schema", "/api/v1/bots"])
def test_an_unsupported_accept_header_is_406(db: None, path: str) -> None:
    check_refused(lambda: raw("GET", path, HTTP_ACCEPT="image/png"), 406, "not_acceptable")


@pytest.mark.parametrize(
    "content_type", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "?"]
)
def test_an_unsupported_content_type_is_415(db: None, content_type: str) -> None:
    ask = lambda: raw("POST", ADDRESS, b"name=Alice", content_type)  # noqa: E731
    check_refused(ask, 415, "unsupported_media_type")


@pytest.mark.parametrize("more", [1, 1_000_000])
def test_a_body_that_is_too_large(db: None, more: int) -> None:
    body = b'{"name": "Alice"}'.ljust(MOST_BYTES + more)
    check_refused(lambda: raw("POST", ADDRESS, body), 413, "body_too_large")


def test_a_body_of_the_greatest_size(db: None) -> None:
    assert raw("POST", ADDRESS, b'{"name": "Alice"}'.ljust(MOST_BYTES)).status == 201


@pytest.mark.parametrize("length", ["\xb2", "-1", "many", "9" * 5000, " 5"])
def test_a_length_that_is_no_number(db: None, length: str) -> None:
    environ = environ_of("POST", ADDRESS, b"{   }") | {"CONTENT_LENGTH": length}
    assert through_wsgi(environ).status == 400


def chunked(body: bytes) -> Answer:
    return through_wsgi(environ_of("POST", ADDRESS, body) | {"HTTP_TRANSFER_ENCODING": "chunked", "CONTENT_LENGTH": ""})


def test_a_body_in_chunks(db: None) -> None:
    answer = chunked(json.dumps(GUEST).encode().ljust(MOST_BYTES))
    assert (answer.status, answer.body["player"]["name"]) == (201, "Alice")


def test_a_body_in_chunks_that_is_too_large(db: None) -> None:
    check_refused(lambda: chunked(json.dumps(GUEST).encode().ljust(MOST_BYTES + 1)), 413, "body_too_large")


def test_an_illegal_move_is_422(playing: dict[str, Any], alice: Caller) -> None:
    body = {"move": "pass", "number": 1}
    answer = check_refused(lambda: alice.post(f"tables/{playing['id']}/moves", body), 422, "illegal_move")
    assert answer.body["title"].startswith("Unprocessable")


@pytest.fixture
def rates(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two of everything a minute, in a minute that is this test's alone."""
    limit(monkeypatch, caller="2/min", guest="2/min", login="2/min")


@pytest.mark.parametrize("path", ["players/guest", "players/register", "players/login", "records/check"])
def test_too_many_requests(rates: None, spectator: Caller, path: str) -> None:
    statuses = [spectator.post(path, {}).status for _ in range(2)]
    assert 429 not in statuses
    answer = check_refused(lambda: spectator.post(path, {}), 429, "too_many_requests")
    assert 1 <= int(answer.headers["Retry-After"]) <= 61


def test_each_token_is_counted_by_itself(rates: None, alice: Caller, bob: Caller) -> None:
    assert [alice.get("players/me").status for _ in range(3)] == [200, 200, 429]
    assert bob.get("players/me").status == 200


def test_new_tokens_do_not_start_a_new_count(rates: None, spectator: Caller) -> None:
    answers = [Caller(f"guess-{at}").post("players/login", {"username": "a", "password": "b"}) for at in range(3)]
    assert [answer.status for answer in answers] == [401, 401, 429]


@pytest.fixture
def redis_down(settings: Any) -> Iterator[None]:
    client.cache_clear()
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    yield
    client.cache_clear()


def test_without_redis_no_request_is_throttled(rates: None, redis_down: None, alice: Caller) -> None:
    assert [alice.get("players/me").status for _ in range(3)] == [200] * 3


def test_after_a_failure_redis_is_not_asked_for_a_moment(rates: None, redis_down: None, alice: Caller) -> None:
    alice.get("players/me")
    assert 0 < RetryTime.asks_from - time.monotonic() <= LEFT_ALONE


def test_a_minute_later_requests_pass_again(rates: None, alice: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    assert [alice.get("players/me").status for _ in range(3)] == [200, 200, 429]
    later = CallerThrottle().timer() + 60
    monkeypatch.setattr(CallerThrottle, "timer", lambda _: later)
    assert alice.get("players/me").status == 200


def test_counts_expire(rates: None, alice: Caller) -> None:
    alice.get("players/me")
    kept = list(client().scan_iter("mexican-train:throttle:*"))
    assert kept
    assert all(client().ttl(key) != -1 for key in kept)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("method", "path", "headers"),
    [
        ("POST", "players/guest", {}),
        ("POST", "players/guest", {"Idempotency_Key": "sixteen letters or more"}),
        ("GET", "tables", {}),
        ("GET", "position", {}),
    ],
)
def test_a_database_that_is_down_is_503(method: str, path: str, headers: dict[str, str]) -> None:
    table = open_table(guest("Alice"))
    path = f"tables/{table['id']}/position" if path == "position" else path

    def ask() -> Answer:
        connection.close()
        connection.settings_dict = connection.settings_dict | {"HOST": "127.0.0.1", "PORT": "1"}
        return Caller().ask(method, path, GUEST if method == "POST" else None, **headers)

    (answer,) = together(ask)
    check_problem(answer, 503, "unavailable")
    assert int(answer.headers["Retry-After"]) > 0


@pytest.mark.parametrize(("page", "status"), [(bad_request, 400), (permission_denied, 403)])
def test_pages_outside_the_api(page: Any, status: int) -> None:
    answer = read(page(RequestFactory().get("/"), ValueError()))
    check_problem(answer, status, answer.body["code"])


def test_an_internal_error_reveals_nothing() -> None:
    check_problem(read(server_error(RequestFactory().get("/"))), 500, "server_error")


def test_an_unknown_host_is_400(db: None) -> None:
    check_refused(lambda: raw("GET", "/api/v1/tables", HTTP_HOST="evil.example"), 400, "bad_request")


def test_too_many_fields_in_a_query(db: None) -> None:
    check_refused(lambda: raw("GET", "/api/v1/tables?" + "a&" * 2000), 400, "bad_request")
