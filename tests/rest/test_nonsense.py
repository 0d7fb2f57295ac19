"""Invalid input of every kind, sent to every operation of the schema: none of it gives a 5xx."""

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.db import transaction
from django.http.request import HttpHeaders

from tests.cases import for_each, slow_after
from tests.cast import Answer, Caller, join, open_table
from tests.contract import check_documented
from tests.rest.checks import MEMBERS
from tests.rest.operations import Operation, operations
from tests.rest.wsgi import environ_of, through_wsgi

DEEP = '{"a":' * 200 + "1" + "}" * 200
BODIES: dict[str, bytes] = {
    "empty": b"",
    "blank": b"  \n",
    "broken": b'{"name": ',
    "text": b'"name"',
    "number": b"7",
    "list": b"[]",
    "lists": b"[[1], {}]",
    "null": b"null",
    "true": b"true",
    "nested objects": DEEP.encode(),
    "nested lists": b"[" * 30_000,
    "nested lists, closed": b"[" * 900 + b"]" * 900,
    "not UTF-8": b'{"name": "\xff\xfe"}',
    "UTF-16": '{"name": "x"}'.encode("utf-16"),
    "byte order mark": b"\xef\xbb\xbf{}",
    "NUL": b'{"name": "\0"}',
    "NaN": b'{"number": NaN, "seat": -Infinity}',
    "a key twice": b'{"name": "a", "name": "b"}',
    "surrogate key": b'{"\\ud800": 1}',
    "many keys": json.dumps({f"k{at}": at for at in range(3000)}).encode(),
    "a number of many digits": b'{"number": ' + b"9" * 5000 + b"}",
}
VALUES: list[str] = [
    *("null", "true", "[]", "{}", '""', "-1", "0", "1", "1.5", "1e999", "1e308"),
    *(str(2**31), str(2**63), "1" * 4300, '"a\\u0000b"', '"\\udcff\\ud83d"'),
    *('"\\u202e"', '"NaN"', '"1e5"', '"\\u0662"', '"' + "x" * 20_000 + '"', '"' + "1" * 5000 + '"', '"\'; --"'),
    *("[null]", '["x"]', "[[[[]]]]", "[{}]", '{"x": null}', '{"2": 1e5}', '[{"seat": {}, "level": []}]'),
    *("[" * 31 + "]" * 31, '{"\\u0000": "\\u0000"}', '{"hand_sizes": {"2": ' + "9" * 4300 + "}}"),
    *('{"rounds": ' + "9" * 4300 + "}", '{"rounds": {"a": [1]}}', '{"own_train_required_for": [[], {}]}'),
    *('{"hand_sizes": [[2, 3]]}', '{"set_max_pip": [1]}', '{"hand_sizes": {"\\u0662": 3}}', "[" + "1," * 500 + "1]"),
]
HEADERS: list[dict[str, str]] = [
    *({"Authorization": text} for text in ("", " ", "Bearer", "Bearer ", "Bearer \xff\xfe", "bearer x y", "Token \0")),
    *({"Authorization": text} for text in ("\xa0Bearer", "Basic !!!", "Bearer " + "x" * 20_000, "Bearer\tx")),
    *({"Idempotency-Key": text} for text in ("", " ", "x" * 256, "x" * 255, "\xfc\xff", "a\0b", "\x85")),
    *({"If-Match": text} for text in ("*", '"x"', "x", "\xff")),
    *({"If-None-Match": text} for text in ("*", "", '"', "W/", 'W/"', "\xff", "x" * 20_000, '"1-spectator", *', ",,,")),
    *({"Accept": text} for text in ("", "*", "a/b/c", ";;;", "text/html", "application/json; q=x", "\xff/\xfe", ", ,")),
    *(
        {"Content-Type": f"application/json; charset={text}"}
        for text in ("zlib", "rot13", "utf-16", "undefined", "\xff")
    ),
    *({"Content-Type": text} for text in ("", "x", "a/b/c", "\xff", "text/html", "multipart/form-data")),
    {"Content-Type": "multipart/form-data; boundary=\xff"},
    {"Content-Type": "application/x-www-form-urlencoded; charset=zlib"},
    *({"Cookie": text} for text in ("sessionid=\xff", "sessionid=", "csrftoken=\0; ;=", "=;" * 500)),
    *({"X-Forwarded-For": text} for text in ("", ",,,", "\xff", "x" * 5000)),
    *({"Host": text} for text in ("", "\xff", "a b", "evil.example", "testserver:99999999", "[::")),
    {"Accept-Language": "\xff;q=zz," + "x" * 5000},
    {"X-HTTP-Method-Override": "DELETE"},
    {"Range": "bytes=9-1"},
    {"Expect": "100-continue"},
]
QUERY = [
    "",
    "%00",
    "%FF",
    "-1",
    "0",
    "1e9",
    "9" * 30,
    "9" * 5000,
    "x" * 5000,
    "[]",
    "null",
    "%D9%A2",
    "+",
    "2147483648",
]
NAMED = ["cursor", "limit", "after", "status", "visibility", "wait", "format", "level", "number"]
QUERIES = [
    *(f"{name}={value}" for name in NAMED for value in QUERY),
    *(
        "cursor=bz0tMQ==",
        "cursor=cD1ub3RoaW5n",
        "cursor=cD0lMDA=",
        "cursor=cD0=",
        "cursor=cD05OTk5LTk5LTk5",
        "cursor=cj14",
        "cursor=w7w=",
    ),
    *("cursor=cD0wMDAxLTAxLTAxVDAwOjAwOjAwKzIzOjU5", "cursor=cD05OTk5LTEyLTMxVDIzOjU5OjU5LTIzOjU5", "cursor=bz05OTk5"),
    *("&" * 3000, "a=1&" * 3000, "%", "=%zz&%&=", "?" * 100, "cursor=a&cursor=b&limit=1&limit=x"),
]
PARTS = [
    "",
    "0",
    "-1",
    "1" * 30,
    "9" * 5000,
    "%00",
    "%FF",
    "..",
    "%2F",
    "x" * 5000,
    "'",
    "%F0%9F%9A%82",
    "null",
    "1.5",
    "٢",
]
ADDRESSES = [
    *(
        "/",
        "//",
        "/\0",
        "/static/%00",
        "/static/../../etc/passwd",
        "/static/%FF",
        "/admin/%00",
        "/admin/login/?next=%00",
    ),
    *("/join/%00", "/join/%FF", "/healthz/x", "/readyz?x=%00", "/api", "/api/v1", "/api/v1/docs?format=x", "/%FF/%00"),
    *("/api/v1/schema?format=x", "/api/v1/schema?lang=%00", "/api/v1/docs?lang=%FF", "/api//v1/tables", "/robots.txt"),
    "/" + "x" * 9000,
]


@pytest.fixture
def ask(alice: Caller, bob: Caller) -> Callable[..., Answer]:
    """One request as Alice, who hosts a table that is being played; whatever it does is undone."""
    table = open_table(alice, seats=2, visibility="public")
    join(table, bob)
    alice.post(f"tables/{table['id']}/start")
    known = {"table_id": table["id"], "player_id": str(alice.player and alice.player.pk), "invite": table["invite"]}

    def send(operation: Operation, body: bytes | None = None, query: str = "", **more: Any) -> Answer:
        path = more.get("path") or "/api/v1/" + operation.at(**known)
        sent = sample(operation, known) if body is None else body
        environ = environ_of(operation.method, f"{path}?{query}", sent)
        headers = HttpHeaders.to_wsgi_names({"Authorization": f"Bearer {alice.token}"} | more.get("headers", {}))
        with transaction.atomic():
            answer = through_wsgi(environ | headers)
            transaction.set_rollback(True)
        check_documented(operation.method, path.removeprefix("/api/v1/"), answer)
        return answer

    return send


def sample(operation: Operation, known: dict[str, Any]) -> bytes:
    body = operation.sample(invite=known["invite"]["code"])
    return b"" if body is None else json.dumps(body).encode()


def check(answer: Answer, sent: str) -> None:
    assert answer.status < 500, f"{sent}: {answer.text[:500]}"
    if answer.status >= 400:
        assert answer.headers["Content-Type"] == "application/problem+json", sent
        assert answer.body.keys() >= MEMBERS, sent
        assert answer.body["status"] == answer.status


every_operation = for_each("operation", operations())
play_first = sorted(operations(), key=lambda operation: operation.id != "play")
play_and_slowly_every_other = pytest.mark.parametrize("operation", slow_after(1, play_first), ids=str)


@play_and_slowly_every_other
def test_bodies(operation: Operation, ask: Callable[..., Answer]) -> None:
    for name, body in BODIES.items():
        check(ask(operation, body), name)
        check(ask(operation, body, headers={"Idempotency-Key": "a key"}), f"{name}, with a key")


@play_and_slowly_every_other
def test_values_of_fields(operation: Operation, ask: Callable[..., Answer]) -> None:
    for name in operation.fields:
        rest = operation.sample(invite="NOSUCHCODE") or {}
        others = "".join(f", {json.dumps(key)}: {json.dumps(value)}" for key, value in rest.items() if key != name)
        for value in VALUES:
            check(ask(operation, f'{{"{name}": {value}{others}}}'.encode()), f"{name}: {value[:100]}")


@play_and_slowly_every_other
def test_headers(operation: Operation, ask: Callable[..., Answer]) -> None:
    for headers in HEADERS:
        check(ask(operation, headers=headers, query="q=%C3%BC"), str(headers)[:200])


@play_and_slowly_every_other
def test_queries(operation: Operation, ask: Callable[..., Answer]) -> None:
    queries = [query for query in QUERIES if query.split("=")[0] in {*operation.query, "format"} or "&" in query]
    for query in queries:
        check(ask(operation, query=query), query[:200])


def misspelt(path: str) -> Iterator[str]:
    """The path with nonsense for each of its parts."""
    parts = path.split("/")
    for at, part in enumerate(parts):
        if part.startswith("{"):
            yield from ("/".join([*parts[:at], nonsense, *parts[at + 1 :]]) for nonsense in PARTS)


@play_and_slowly_every_other
def test_paths(operation: Operation, ask: Callable[..., Answer]) -> None:
    known = {"{table_id}": "00000000-0000-4000-8000-000000000000", "{number}": "1"}
    for path in misspelt(operation.path):
        for name, value in known.items():
            path = path.replace(name, value)  # noqa: PLW2901
        check(ask(operation, path=path), path[:200])


def knock(method: str, address: str) -> Answer:
    environ = environ_of(method, address, b"\xff\0")
    return through_wsgi(environ | {"CONTENT_TYPE": "text/plain; charset=zlib", "HTTP_COOKIE": "sessionid=\xff"})


@pytest.mark.parametrize("address", ADDRESSES, ids=lambda address: address[:30])
def test_addresses(db: None, address: str) -> None:
    for method in ("GET", "POST", "HEAD", "TRACE", "NONSENSE"):
        answer = knock(method, address)
        assert answer.status < 500 or address.startswith("/readyz"), f"{method}: {answer.text[:500]}"


@pytest.mark.parametrize("address", ["/api/v1/docs", "/api/v1/schema", "/api/v1/bots", "/healthz", "/"])
def test_options(db: None, address: str) -> None:
    answer = knock("OPTIONS", address)
    assert answer.status < 500
    assert answer.status == 200 or "OPTIONS" not in answer.headers.get("Allow", "")


@play_and_slowly_every_other
def test_methods(operation: Operation, ask: Callable[..., Answer]) -> None:
    for method in ("GET", "PUT", "POST", "PATCH", "DELETE", "OPTIONS", "TRACE", "NONSENSE"):
        check(ask(Operation(operation.id, method, operation.path, (), (), {}), b"{}"), method)


@every_operation
def test_the_head_alone_has_no_body(operation: Operation, ask: Callable[..., Answer]) -> None:
    """Also for refusals: with a body, the web server would log a warning at every request."""
    answer = ask(Operation(operation.id, "HEAD", operation.path, (), (), {}), b"")
    assert (answer.text, answer.status < 500) == ("", True)


def test_the_schema_lists_every_address_of_the_api() -> None:
    assert len(operations()) >= 20
    assert {operation.method for operation in operations()} == {"GET", "POST", "PUT", "PATCH", "DELETE"}
