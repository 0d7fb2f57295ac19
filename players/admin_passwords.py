"""The admin's pages that check a password, with the same limits as the API: log-in and password change."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from rest_framework.exceptions import Throttled

from players.passwords import password_tried
from rest.problem_documents import seconds_to_wait, too_often

Page = Callable[..., HttpResponse]


class WrongPassword(Exception):
    """The page returned its form again instead of a redirect."""

    def __init__(self, form: HttpResponse) -> None:
        super().__init__()
        self.form = form


def limited(page: Page, username_of: Callable[[HttpRequest], str]) -> Page:
    """Wrap a page with a password form: it checks the form only while the account and the caller have tries left."""

    @wraps(page)
    def answer(request: HttpRequest, **kwargs: Any) -> HttpResponse:
        if request.method != "POST":
            return page(request, **kwargs)
        try:
            with password_tried(request, username_of(request)):
                response = page(request, **kwargs)
                if response.status_code == 200:
                    raise WrongPassword(response)
        except WrongPassword as wrong:
            return wrong.form
        except Throttled as throttled:
            return refused(request, throttled)
        return response

    return answer


def refused(request: HttpRequest, throttled: Throttled) -> HttpResponse:
    seconds = seconds_to_wait(throttled)
    context = admin.site.each_context(request) | {"too_often": too_often(seconds)}
    page = render(request, "players/too_often.html", context, status=429)
    page.headers["Retry-After"] = str(seconds)
    return page


def named_in_form(request: HttpRequest) -> str:
    return str(request.POST.get("username", ""))


def own_name(request: HttpRequest) -> str:
    return str(request.user.get_username())


log_in = limited(admin.site.login, named_in_form)
change_password = admin.site.admin_view(limited(admin.site.password_change, own_name))
