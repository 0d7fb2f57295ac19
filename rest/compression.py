"""Compression of answers that are worth it, where the caller asks for gzip."""

from collections.abc import Callable
from functools import lru_cache

from django.http import HttpRequest, HttpResponseBase
from django.http.response import HttpResponse
from django.utils.text import compress_string

ASKED = "Accept-Encoding"
FEWEST_BYTES = 1000
"""Shorter answers fit into one packet anyway."""
KINDS = ("application/json", "application/vnd.oai.openapi+json", "image/svg+xml", "text/plain")
"""Pages are left as they are: they are small, and those of the admin hold the token of a form beside what was sent."""
SECRETS = (b'"invite":{"code":"', b'"token":"')
"""As JSON is written here. No compressed answer holds one: its length could confirm a guess beside it (BREACH)."""
MOST_RANDOM_BYTES = 100
"""Added to the length of each, so that it tells little of the rest: hands, for example."""


class Compression:
    """Middleware: gzip for long answers to GET. Streams, answers with a secret and other methods' are left alone.

    Django's own compresses streams, which then arrive late, and whatever else is there.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        if request.method in {"GET", "HEAD"} and isinstance(response, HttpResponse) and is_worth_it(response):
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
    """In place. Of the same content there are many compressed forms, so that a strong ``ETag`` becomes a weak one."""
    response.content = compress_string(response.content, max_random_bytes=MOST_RANDOM_BYTES)
    response.headers["Content-Encoding"] = "gzip"
    response.headers["Content-Length"] = str(len(response.content))
    tag = response.headers.get("ETag", "")
    if tag.startswith('"'):
        response.headers["ETag"] = f"W/{tag}"


@lru_cache(maxsize=256)
def accepts_gzip(wanted: str) -> bool:
    """Whether an ``Accept-Encoding`` allows gzip: by its name, or by ``*``."""
    weights = dict(map(weighed, wanted.lower().split(",")))
    return weights.get("gzip", weights.get("*", 0.0)) > 0


def weighed(coding: str) -> tuple[str, float]:
    """A coding and its weight; one whose weight cannot be read is not wanted."""
    name, _, parameter = coding.partition(";")
    _, _, weight = parameter.partition("q=")
    try:
        return name.strip(), float(weight.strip()) if parameter.strip() else 1.0
    except ValueError:
        return name.strip(), 0.0
