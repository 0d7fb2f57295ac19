"""Web pages for people: the start page, the page of an invite, and the texts of ``docs``."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from rest_framework.exceptions import Throttled

from rest.error_pages import read_only
from rest.problem_documents import seconds_to_wait, too_often
from tables.guessing import codes_tried
from tables.invites import invited_to
from tables.models import Status, Table

DOCS = Path(__file__).parents[1] / "docs"


class Text(NamedTuple):
    """A text of ``docs``. ``TEXTS`` lists them in the order in which a newcomer reads them."""

    name: str
    title: str


TEXTS = (
    Text("rules", "The rules, every option and every preset"),
    Text("tables", "Opening a table"),
    Text("players", "Players, accounts and devices"),
    Text("waiting", "Waiting and events"),
    Text("browsers", "From a web page"),
    Text("webhooks", "Webhooks"),
    Text("problems", "What may be refused"),
    Text("bots", "Bots"),
    Text("fair-deals", "Fair deals"),
    Text("record-format", "Records of matches"),
)


class NoSuchInvite(Exception):
    """No table has this code."""


@read_only
def front(request: HttpRequest) -> HttpResponse:
    return render(request, "tables/front.html", {"texts": TEXTS})


@read_only
def text(request: HttpRequest, name: str) -> HttpResponse:
    """Return a text as it is written. Raises ``Http404``."""
    if name not in {each.name for each in TEXTS}:
        raise Http404
    return HttpResponse((DOCS / f"{name}.md").read_text(), content_type="text/plain; charset=utf-8")


@read_only
def invite(request: HttpRequest) -> HttpResponse:
    """Redirect to the page of an invite that was typed or pasted."""
    return opened(request, request.GET.get("invite", ""), lambda table: redirect("invitation", table.invite_code))


@read_only
def invitation(request: HttpRequest, code: str) -> HttpResponse:
    """Show who invites to what, and how to sit down with any client.

    After the start it links the board, if everybody may see that.
    """
    return opened(request, code, lambda table: page_of(request, facts_of(table)))


def opened(request: HttpRequest, invite: str, answer: Callable[[Table], HttpResponse]) -> HttpResponse:
    """Find the table of an invite, and return ``answer`` for it.

    An unknown invite gets a page with status 404, too many attempts one with status 429.
    """
    try:
        with codes_tried(request, None, invite, (NoSuchInvite,)):
            table = invited_to(invite)
            if table is None:
                raise NoSuchInvite
    except NoSuchInvite:
        return page_of(request, {}, status=404)
    except Throttled as throttled:
        return later(request, throttled)
    return answer(table)


def later(request: HttpRequest, throttled: Throttled) -> HttpResponse:
    """Return a page for somebody who has tried too many codes."""
    seconds = seconds_to_wait(throttled)
    page = page_of(request, {"too_often": too_often(seconds)}, status=429)
    page.headers["Retry-After"] = str(seconds)
    return page


def page_of(request: HttpRequest, facts: dict[str, Any], status: int = 200) -> HttpResponse:
    return render(request, "tables/invitation.html", {"server": settings.PUBLIC_URL} | facts, status=status)


def facts_of(table: Table) -> dict[str, Any]:
    seats = list(table.seats.select_related("player").order_by("number"))
    free = sum(seat.player is None for seat in seats)
    is_open = table.status == Status.OPEN
    may_look = Table.objects.visible_to(None).filter(pk=table.pk).exists()
    has_begun = table.started_at is not None
    return {
        "table": table,
        "host": table.host_name,
        "free": free,
        "has_room": is_open and free > 0,
        "is_full": is_open and free == 0,
        "board": reverse("board", args=(table.pk,)) if may_look and has_begun else None,
        "winners": [seat.name for seat in seats if seat.player and seat.number in (table.winners or ())]
        if may_look
        else [],
    }
