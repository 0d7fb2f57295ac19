"""Compression of answers that are worth it, where the caller asks for gzip."""

from collections.abc import Callable
from functools import lru_cache

from django.http import HttpRequest, HttpResponseBase
from django.http.response import HttpResponse
from django.utils.text import compress_string

ASKED = "Accept-Encoding"
FEWEST_BYTES = 1000
"""Shorter answers fit into one packet uncompressed."""
KINDS = ("application/json", "application/vnd.oai.openapi+json", "image/svg+xml", "text/plain")
"""HTML is not among them: pages are small, and those of the admin hold a form's token beside the caller's own input."""
SECRETS = (b'"invite":{"code":"', b'"token":"')
"""As our JSON spells them. An answer with one is not compressed: its length could confirm a guess of it (BREACH)."""
MOST_RANDOM_BYTES = 100
"""Padding of random length, so that the length says little about hands and the like."""


class Compression:
    """Middleware: gzip for long answers to GET, except streams and answers with a secret.

    Django's own compresses all answers, streams too, whose events then arrive late.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        if request.method in {"GET", "HEAD"} and isinstance(response, HttpResponse) and is_worth_it(response):
            # Not with ``patch_vary_headers``: nothing before this names the header, and polls come here most often.
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
    """In place. A strong ``ETag`` becomes a weak one, because the padding makes the bytes differ each time."""
    response.content = compress_string(response.content, max_random_bytes=MOST_RANDOM_BYTES)
    response.headers["Content-Encoding"] = "gzip"
    response.headers["Content-Length"] = str(len(response.content))
    tag = response.headers.get("ETag", "")
    if tag.startswith('"'):
        response.headers["ETag"] = f"W/{tag}"


@lru_cache(maxsize=256)
def accepts_gzip(wanted: str) -> bool:
    """Whether an ``Accept-Encoding`` allows gzip, by its name or by ``*``."""
    weights = dict(map(weighed, wanted.lower().split(",")))
    return weights.get("gzip", weights.get("*", 0.0)) > 0


def weighed(coding: str) -> tuple[str, float]:
    """A coding and its weight; 0 for a weight that cannot be read."""
    name, _, parameter = coding.partition(";")
    _, _, weight = parameter.partition("q=")
    try:
        return name.strip(), float(weight.strip()) if parameter.strip() else 1.0
    except ValueError:
        return name.strip(), 0.0
