"""Django's middleware for sessions, users and messages. API requests skip it, because they use tokens."""

from django.contrib.auth.middleware import AuthenticationMiddleware
from django.contrib.messages.middleware import MessageMiddleware
from django.contrib.sessions.middleware import SessionMiddleware
from django.http import HttpRequest, HttpResponseBase
from django.utils.deprecation import MiddlewareMixin

from rest.paths import is_for_api


class PagesOnly(MiddlewareMixin):
    """A mixin: API requests skip the middleware class of Django that follows it in the list of base classes."""

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        passed_on = self.get_response if is_for_api(request) else super().__call__
        return passed_on(request)  # type: ignore[return-value]  # the server is synchronous


class PageSessions(PagesOnly, SessionMiddleware):
    pass


class PageAuthentication(PagesOnly, AuthenticationMiddleware):
    pass


class PageMessages(PagesOnly, MessageMiddleware):
    pass
