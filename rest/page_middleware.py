"""Django's middleware for pages. The API has tokens instead of sessions, so its requests go past it."""

from django.contrib.auth.middleware import AuthenticationMiddleware
from django.contrib.messages.middleware import MessageMiddleware
from django.contrib.sessions.middleware import SessionMiddleware
from django.http import HttpRequest, HttpResponseBase
from django.utils.deprecation import MiddlewareMixin

from rest.paths import is_for_api


class PagesOnly(MiddlewareMixin):
    """Passes requests of the API on as they are. It stands before one of Django's classes among the bases."""

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        passed_on = self.get_response if is_for_api(request) else super().__call__
        return passed_on(request)  # type: ignore[return-value]  # the server has threads: nothing is awaited


class PageSessions(PagesOnly, SessionMiddleware):
    pass


class PageAuthentication(PagesOnly, AuthenticationMiddleware):
    pass


class PageMessages(PagesOnly, MessageMiddleware):
    pass
