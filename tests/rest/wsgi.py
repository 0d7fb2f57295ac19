"""Requests as a web server passes them on, without the normalisation of Django's test client."""

import io
import json
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from typing import Any

from django.core.signals import request_finished, request_started
from django.db import close_old_connections
from django.http import HttpResponseBase
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
    with without_closing_connections():
        answer = application(environ, lambda status, headers: begun.append((status, dict(headers))))
        (status, headers), *_ = begun
        is_stream = headers.get("Content-Type") == "text/event-stream"
        text = b"".join(islice(answer, 1) if is_stream else answer).decode(errors="replace")
        if isinstance(answer, HttpResponseBase):  # a stream would go on for ever
            answer.close()
    is_json = "json" in headers.get("Content-Type", "")
    return Answer(int(status.split()[0]), json.loads(text) if text and is_json else None, headers, text)


@contextmanager
def without_closing_connections() -> Iterator[None]:
    """As the test client has it: a request that begins or ends would end the test's transaction."""
    signals = (request_started, request_finished)
    for signal in signals:
        signal.disconnect(close_old_connections)
    try:
        yield
    finally:
        for signal in signals:
            signal.connect(close_old_connections)
