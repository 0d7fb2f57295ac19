"""Which answers are compressed, for which callers, and with which headers."""

import gzip
import json
from typing import Any

import pytest
from django.http import HttpResponse, StreamingHttpResponse
from django.test import Client, RequestFactory

from rest.compression import FEWEST_BYTES, Compression, accepts_gzip
from tests.cast import Caller, open_table


def get(path: str, caller: Caller | None = None, **headers: str) -> Any:
    token = {"Authorization": f"Bearer {caller.token}"} if caller and caller.token else {}
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Client().get(f"/api/v1/{path}", headers=token | {"Accept-Encoding": "gzip"} | named)


def test_a_long_answer_is_compressed(playing: dict[str, Any], alice: Caller) -> None:
    path = f"tables/{playing['id']}/position"
    plain, short = get(path, alice, Accept_Encoding=""), get(path, alice)
    assert short.headers["Content-Encoding"] == "gzip"
    assert int(short.headers["Content-Length"]) == len(short.content) < len(plain.content)
    told = [json.loads(text) for text in (plain.content, gzip.decompress(short.content))]
    assert told[0]["you"] == told[1]["you"]
    for answer in (plain, short):
        assert {"Accept-Encoding", "Authorization"} <= set(answer.headers["Vary"].split(", "))
    assert plain.headers["ETag"] == short.headers["ETag"]


@pytest.mark.parametrize("path", ["rules/presets", "rules/options", "schema"])
def test_an_unchanged_compressed_answer_is_304(db: None, path: str) -> None:
    answer = get(path)
    assert answer.headers["Content-Encoding"] == "gzip"
    if tag := answer.headers.get("ETag"):
        assert tag.startswith("W/")
        again = get(path, If_None_Match=tag)
        assert (again.status_code, again.content) == (304, b"")
        assert "Content-Encoding" not in again.headers


def test_the_length_of_a_compressed_answer_reveals_little(db: None) -> None:
    assert len({len(get("rules/options").content) for _ in range(20)}) > 1


def test_short_answers_are_not(db: None) -> None:
    answer = get("tables")
    assert len(answer.content) < FEWEST_BYTES
    assert "Content-Encoding" not in answer.headers
    assert "Accept-Encoding" not in answer.headers.get("Vary", "")


def test_answers_that_hold_a_secret_are_not(alice: Caller) -> None:
    table = open_table(alice)
    for path in ("tables", "players/me/tables", f"tables/{table['id']}"):
        answer = get(path, alice)
        assert len(answer.content) >= FEWEST_BYTES
        assert "Content-Encoding" not in answer.headers
    public = open_table(alice, visibility="public")
    assert get(f"tables/{public['id']}").headers["Content-Encoding"] == "gzip"


def test_streams_are_not() -> None:
    stream = StreamingHttpResponse([b"x" * FEWEST_BYTES] * 3, content_type="text/plain")
    answer = Compression(lambda _: stream)(RequestFactory().get("/", headers={"Accept-Encoding": "gzip"}))
    assert (answer, answer.headers.get("Content-Encoding")) == (stream, None)


def passed(method: str, **headers: str) -> HttpResponse:
    """A long answer, with these headers, after it has gone through."""
    answer = HttpResponse(b"x" * FEWEST_BYTES, content_type="text/plain", headers=headers)
    request = RequestFactory().generic(method, "/", headers={"Accept-Encoding": "gzip"})
    assert Compression(lambda _: answer)(request) is answer
    return answer


def test_answers_to_writing_requests_are_not() -> None:
    for method in ("POST", "PUT", "PATCH", "DELETE"):
        assert passed(method).headers == {"Content-Type": "text/plain"}
    assert passed("HEAD").headers["Content-Encoding"] == "gzip"


def test_an_encoded_answer_stays_unchanged() -> None:
    answer = passed("GET", **{"Content-Encoding": "br"})
    assert (answer.headers["Content-Encoding"], answer.content) == ("br", b"x" * FEWEST_BYTES)


def test_refusals_are_not() -> None:
    answer = HttpResponse(b"x" * FEWEST_BYTES, content_type="text/plain", status=404)
    Compression(lambda _: answer)(RequestFactory().get("/", headers={"Accept-Encoding": "gzip"}))
    assert "Content-Encoding" not in answer.headers


def test_pages_are_not(db: None) -> None:
    answer = Client().get("/", headers={"Accept-Encoding": "gzip"})
    assert "Content-Encoding" not in answer.headers


@pytest.mark.parametrize(
    ("wanted", "is_accepted"),
    [
        *(("gzip", True), ("GZIP", True), ("br, gzip;q=0.5", True), ("*", True), ("deflate, *;q=0.1", True)),
        *(("", False), ("br", False), ("gzip;q=0", False), ("gzip;q=x", False), ("*;q=0", False), ("identity", False)),
        *(("gzip; q=0.0, *", False), (",,;q=", False), ("xgzip", False)),
    ],
)
def test_accept_encoding_decides(wanted: str, is_accepted: bool) -> None:
    assert accepts_gzip(wanted) is is_accepted
