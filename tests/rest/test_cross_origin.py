"""Web pages of any origin may call the API; the admin is for its own pages."""

import re

import pytest
from django.conf import settings
from django.test import Client

from tests.acceptance.server import ROOT

ORIGIN = "https://app.example.org"


def preflight(path: str, *headers: str) -> dict[str, str]:
    asked = {"Origin": ORIGIN, "Access-Control-Request-Method": "POST"}
    asked["Access-Control-Request-Headers"] = ",".join(headers)
    return dict(Client().options(path, headers=asked).headers)


@pytest.mark.parametrize(
    "header", ["authorization", "content-type", "idempotency-key", "if-none-match", "last-event-id"]
)
def test_a_page_may_send_every_header_that_the_api_reads(header: str) -> None:
    allowed = preflight("/api/v1/tables", header)
    assert allowed["access-control-allow-origin"] == "*"
    assert header in allowed["access-control-allow-headers"]


def test_a_page_may_read_every_header_that_the_api_sends(db: None) -> None:
    answer = Client().get("/api/v1/bots", headers={"Origin": ORIGIN})
    assert answer.headers["access-control-expose-headers"] == "Content-Language, ETag, Location, Retry-After"


def test_the_document_names_all_these_headers() -> None:
    lines = (ROOT / "docs" / "browsers.md").read_text().splitlines()
    told = [re.findall("`(.*?)`", line) for line in lines if line.startswith("| may be")]
    assert [name.lower() for name in told[0]] == sorted([*settings.CORS_ALLOW_HEADERS, "accept-language"])
    assert told[1] == list(settings.CORS_EXPOSE_HEADERS)


def test_no_cookies_are_allowed() -> None:
    assert "access-control-allow-credentials" not in preflight("/api/v1/tables", "authorization")


def test_the_admin_is_for_its_own_pages() -> None:
    assert "access-control-allow-origin" not in preflight("/admin/login/", "content-type")
