"""Requests as a web server hands them to us, without the tidying that Django's test client does."""

import io
import json
from itertools import islice
from typing import Any

from django.core.signals import request_started
from django.db import close_old_connections
from django.test import RequestFactory

from config.wsgi import application
from tests.cast import Answer

TYPE = "application/json"


def environ_of(method: str, path: str, body: bytes = b"") -> dict[str, Any]:
    environ: dict[str, Any] = RequestFactory().generic(method, path, body, TYPE).environ
    environ["PATH_INFO"] = environ["PATH_INFO"].encode().decode("latin-1")  # bytes once more, as PEP 3333 has them
    return environ | {"CONTENT_TYPE": TYPE, "CONTENT_LENGTH": str(len(body)), "wsgi.input": io.BytesIO(body)}


def through_wsgi(environ: dict[str, Any]) -> Answer:
    begun: list[tuple[str, dict[str, str]]] = []
    request_started.disconnect(close_old_connections)  # as the test client does: it would end the test's transaction
    try:
        chunks = application(environ, lambda status, headers: begun.append((status, dict(headers))))
    finally:
        request_started.connect(close_old_connections)
    (status, headers), *_ = begun
    parts = (
        islice(chunks, 1) if headers["Content-Type"] == "text/event-stream" else chunks
    )  # which would go on for ever
    text = b"".join(parts).decode(errors="replace")
    is_json = "json" in headers.get("Content-Type", "")
    return Answer(int(status.split()[0]), json.loads(text) if text and is_json else None, headers, text)
