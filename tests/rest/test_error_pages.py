"""Errors outside the API: a page for browsers, a problem document for programs."""

import json
import re
import runpy
import socket
from pathlib import Path
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.test import Client, RequestFactory
from gunicorn import util  # type: ignore[import-untyped]

from rest.error_pages import bad_request, permission_denied, server_error
from words import OTHERS

BROWSER = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
PROGRAMS = [{}, {"Accept": "*/*"}, {"Accept": "application/json"}]
SAID = re.compile("<h1>(.*?)</h1>\\s*<p>(.*?)</p>\\s*<p><a href=./.>(.*?)</a>")
HANDLERS = [(bad_request, 400), (permission_denied, 403), (server_error, 500)]


def test_a_browser_gets_a_page_with_a_way_back(db: None) -> None:
    answer = Client().get("/no/such/page", headers=BROWSER)
    text = answer.content.decode()
    assert (answer.status_code, answer.headers["Content-Type"]) == (404, "text/html; charset=utf-8")
    assert "There is nothing at this address." in text
    assert '<a href="/">' in text
    assert "Accept" in answer.headers["Vary"]


@pytest.mark.parametrize("headers", PROGRAMS)
def test_a_program_gets_a_problem(db: None, headers: dict[str, str]) -> None:
    answer = Client().get("/no/such/page", headers=headers)
    assert (answer.status_code, answer.headers["Content-Type"]) == (404, "application/problem+json")


def test_in_the_api_a_browser_gets_a_problem_too(db: None) -> None:
    answer = Client().get("/api/v1/no-such-call", headers=BROWSER)
    assert (answer.status_code, answer.headers["Content-Type"]) == (404, "application/problem+json")


@pytest.mark.parametrize(("handler", "status"), HANDLERS)
@pytest.mark.parametrize("headers", [BROWSER, {}])
def test_every_status_has_a_page_and_a_problem(handler: Any, status: int, headers: dict[str, str]) -> None:
    request = RequestFactory().get("/join/x", headers=headers)
    answer = handler(request) if handler is server_error else handler(request, PermissionDenied())
    kind = "text/html; charset=utf-8" if headers else "application/problem+json"
    assert (answer.status_code, answer.headers["Content-Type"]) == (status, kind)


def test_a_fault_of_the_page_itself_is_still_an_answer(settings: Any) -> None:
    settings.TEMPLATES = [settings.TEMPLATES[0] | {"APP_DIRS": False}]
    answer = server_error(RequestFactory().get("/", headers=BROWSER))
    assert (answer.status_code, answer.headers["Content-Type"]) == (500, "application/problem+json")


def test_a_form_without_its_cookie(db: None) -> None:
    answer = Client(enforce_csrf_checks=True).post("/admin/login/", {"username": "x"}, headers=BROWSER)
    assert answer.status_code == 403
    assert "This form is too old" in answer.content.decode()


@pytest.mark.parametrize("language", OTHERS)
def test_pages_are_translated(db: None, language: str) -> None:
    english, other = (
        Client().get("/no/such/page", headers=BROWSER | {"Accept-Language": each}) for each in ("en", language)
    )
    assert other.headers["Content-Language"] == language
    said = [SAID.findall(each.content.decode()) for each in (english, other)]
    assert len(said[0]) == len(said[1]) == 1
    assert not set(said[0][0]) & set(said[1][0])


@pytest.mark.parametrize("path", ["/", "/join", "/join/", "/healthz", "/docs/rules.md"])
def test_a_read_only_page_answers_405_with_allow(db: None, path: str) -> None:
    for headers, kind in ((BROWSER, "text/html; charset=utf-8"), ({}, "application/problem+json")):
        answer = Client(enforce_csrf_checks=True).post(path, headers=headers)
        assert (answer.status_code, answer.headers["Content-Type"]) == (405, kind)
        assert answer.headers["Allow"] == "GET, HEAD"


@pytest.mark.parametrize(
    ("status", "code", "word"),
    [
        (400, "bad_request", "read"),
        (414, "uri_too_long", "8190 bytes"),
        (417, "expectation_failed", "Expect"),
        (431, "headers_too_large", "100 headers"),
    ],
)
def test_a_refusal_of_the_web_server_itself_is_a_problem(
    status: int, code: str, word: str, monkeypatch: pytest.MonkeyPatch
) -> None:

    monkeypatch.setattr(util, "write_error", util.write_error)
    monkeypatch.setattr("resource.setrlimit", lambda *_: None)
    monkeypatch.setenv("PROMETHEUS_MULTIPROC_DIR", "nowhere")
    conf = runpy.run_path(str(Path(__file__).parents[2] / "gunicorn.conf.py"))
    ours, theirs = socket.socketpair()
    with ours, theirs:
        assert util.write_error is conf["write_problem"]
        util.write_error(ours, status, "Reason", "<b>what was sent</b>")
        head, _, body = theirs.recv(10_000).decode().partition("\r\n\r\n")
    assert f"HTTP/1.1 {status} Reason" in head
    assert "Content-Type: application/problem+json" in head
    assert f"Content-Length: {len(body)}" in head
    problem = json.loads(body)
    assert (problem["status"], problem["code"]) == (status, code)
    assert word in problem["detail"]
    assert "what was sent" not in body
