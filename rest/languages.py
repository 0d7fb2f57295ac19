"""Which language a caller is answered in: that of ``Accept-Language`` alone, English where it names none of ours."""

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
    """Middleware: Django's own looks at cookies and addresses too, and costs the playing path more.

    Nothing is switched on where English is asked for, as programs do that ask for nothing.
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
        """Every page for people holds words; which other answers do is for those to say that make them."""
        response = self.get_response(request)
        is_page = response.headers.get("Content-Type", "").startswith("text/html")
        return say_language(response) if is_page and "Content-Language" not in response.headers else response


@lru_cache(maxsize=1000)
def spoken(wanted: str) -> str:
    """The first of the languages wanted that is spoken here."""
    for language, weight in parse_accept_lang_header(wanted):
        if language == "*":
            break
        if not weight:
            continue
        with suppress(LookupError):
            return translation.get_supported_language_variant(language)
    return settings.LANGUAGE_CODE


def language_headers() -> dict[str, str]:
    """What an answer that holds words says of them."""
    return {"Content-Language": translation.get_language() or settings.LANGUAGE_CODE, "Vary": VARY}


def say_language(response: R) -> R:
    response.headers["Content-Language"] = language_headers()["Content-Language"]
    patch_vary_headers(response, [VARY])
    return response


def in_english(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """What is written for programmers, who get the same whatever their browser asks for."""

    @wraps(view)
    def answer(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        with translation.override(settings.LANGUAGE_CODE):
            response = view(request, *args, **kwargs)
            if hasattr(response, "render"):
                response = response.render()
            response.headers["Content-Language"] = settings.LANGUAGE_CODE
        return response

    return answer


class Worded(Response):
    """An answer that holds words."""

    def __init__(self, data: Any = None, status: int | None = None, headers: dict[str, str] | None = None) -> None:
        super().__init__(data, status, headers=language_headers() | (headers or {}))
