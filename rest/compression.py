"""Gzip compression of long answers, if the caller accepts gzip."""

from collections.abc import Callable
from functools import lru_cache

from django.http import HttpRequest, HttpResponseBase
from django.http.response import HttpResponse
from django.utils.text import compress_string

ASKED = "Accept-Encoding"
FEWEST_BYTES = 1000
"""Shorter answers fit into one packet uncompressed."""
KINDS = ("application/json", "application/vnd.oai.openapi+json", "image/svg+xml", "text/plain")
"""HTML is not compressed: pages are small, and admin pages hold a CSRF token next to the caller's own input."""
SECRETS = (b'"invite":{"code":"', b'"token":"')
"""Parts of answers with a secret. These are not compressed: the length could confirm a guess of the secret (BREACH)."""
MOST_RANDOM_BYTES = 100
"""Padding of random length, so that an answer's length reveals little about hands and other hidden facts."""


class Compression:
    """Middleware: gzip for long answers to GET, except streams and answers with a secret.

    Django's middleware also compresses streams, and then their events arrive late.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        if request.method in {"GET", "HEAD"} and isinstance(response, HttpResponse) and is_worth_it(response):
            # Not ``patch_vary_headers``: no earlier code adds this name, and this runs for every poll.
            others = response.headers.get("Vary")
            response.headers["Vary"] = f"{others}, {ASKED}" if others else ASKED
            wanted = request.META.get("HTTP_ACCEPT_ENCODING")
            if wanted and accepts_gzip(wanted):
                compress(response)
        return response


def is_worth_it(response: HttpResponse) -> bool:
    return (
        response.status_code == 200
        and len(response.content) >= FEWEST_BYTES
        and response.headers.get("Content-Type", "").partition(";")[0] in KINDS
        and "Content-Encoding" not in response.headers
        and not any(secret in response.content for secret in SECRETS)
    )


def compress(response: HttpResponse) -> None:
    """Compress in place. A strong ``ETag`` becomes a weak one, because the padding makes the bytes differ each time."""
    response.content = compress_string(response.content, max_random_bytes=MOST_RANDOM_BYTES)
    response.headers["Content-Encoding"] = "gzip"
    response.headers["Content-Length"] = str(len(response.content))
    tag = response.headers.get("ETag", "")
    if tag.startswith('"'):
        response.headers["ETag"] = f"W/{tag}"


@lru_cache(maxsize=256)
def accepts_gzip(wanted: str) -> bool:
    """Whether an ``Accept-Encoding`` header allows gzip, by name or with ``*``."""
    weights = dict(map(weighed, wanted.lower().split(",")))
    return weights.get("gzip", weights.get("*", 0.0)) > 0


def weighed(coding: str) -> tuple[str, float]:
    """Return a coding and its weight. An invalid weight counts as 0."""
    name, _, parameter = coding.partition(";")
    _, _, weight = parameter.partition("q=")
    try:
        return name.strip(), float(weight.strip()) if parameter.strip() else 1.0
    except ValueError:
        return name.strip(), 0.0
