"""The language of an answer: ``Accept-Language`` alone decides, and English is used if it names none of ours."""

from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache, wraps
from typing import Any, TypeVar

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase
from django.utils import translation
from django.utils.cache import patch_vary_headers
from django.utils.translation.trans_real import parse_accept_lang_header
from rest_framework.response import Response

R = TypeVar("R", bound=HttpResponseBase)
VARY = "Accept-Language"


class SpokenLanguage:
    """Middleware: activates the caller's language. It reads fewer sources than Django's own, so it takes less time.

    For English, which is also used for programs without ``Accept-Language``, it activates nothing.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        language = spoken(request.META.get("HTTP_ACCEPT_LANGUAGE", ""))
        if language == settings.LANGUAGE_CODE:
            return self.answered(request)
        with translation.override(language):
            return self.answered(request)

    def answered(self, request: HttpRequest) -> HttpResponseBase:
        """Add the language headers to HTML pages. For other answers, the view decides whether to add them."""
        response = self.get_response(request)
        is_page = response.headers.get("Content-Type", "").startswith("text/html")
        return say_language(response) if is_page and "Content-Language" not in response.headers else response


@lru_cache(maxsize=1000)
def spoken(wanted: str) -> str:
    """Return the first language of an ``Accept-Language`` header that this server supports."""
    for language, weight in parse_accept_lang_header(wanted):
        if language == "*":
            break
        if not weight:
            continue
        with suppress(LookupError):
            return translation.get_supported_language_variant(language)
    return settings.LANGUAGE_CODE


def language_headers() -> dict[str, str]:
    """Return the headers of an answer that contains translated text."""
    return {"Content-Language": translation.get_language() or settings.LANGUAGE_CODE, "Vary": VARY}


def say_language(response: R) -> R:
    response.headers["Content-Language"] = language_headers()["Content-Language"]
    patch_vary_headers(response, [VARY])
    return response


def in_english(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """Wrap a view for programmers, which always answers in English."""

    @wraps(view)
    def answer(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        with translation.override(settings.LANGUAGE_CODE):
            response = view(request, *args, **kwargs)
            if hasattr(response, "render"):
                response = response.render()
            response.headers["Content-Language"] = settings.LANGUAGE_CODE
        return response

    return answer


class TranslatedResponse(Response):
    """A response that contains translated text, with the headers that say so."""

    def __init__(self, data: Any = None, status: int | None = None, headers: dict[str, str] | None = None) -> None:
        super().__init__(data, status, headers=language_headers() | (headers or {}))
