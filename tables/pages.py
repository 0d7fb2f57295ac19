"""The pages for people: the front door, what an invite's link shows, and the texts about all this."""

from pathlib import Path
from typing import Any, NamedTuple

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse

from rest.methods import to_read
from tables.invites import invited_to
from tables.models import Status, Table

DOCS = Path(__file__).parents[1] / "docs"


class Text(NamedTuple):
    """A page of ``docs``, in the order in which a newcomer reads them."""

    name: str
    title: str


TEXTS = (
    Text("rules", "The rules, every option and every preset"),
    Text("tables", "Opening a table"),
    Text("waiting", "Waiting and events"),
    Text("browsers", "From a web page"),
    Text("webhooks", "Webhooks"),
    Text("problems", "What may be refused"),
    Text("bots", "Bots"),
    Text("fair-deals", "Fair deals"),
    Text("record-format", "Records of matches"),
)


@to_read
def front(request: HttpRequest) -> HttpResponse:
    return render(request, "tables/front.html", {"texts": TEXTS})


@to_read
def text(request: HttpRequest, name: str) -> HttpResponse:
    """One of the texts as it is written. Raises ``Http404``."""
    if name not in {each.name for each in TEXTS}:
        raise Http404
    return HttpResponse((DOCS / f"{name}.md").read_text(), content_type="text/plain; charset=utf-8")


@to_read
def invite(request: HttpRequest) -> HttpResponse:
    """To the page of an invite that was typed or pasted."""
    table = invited_to(request.GET.get("invite", ""))
    return redirect("invitation", table.invite_code) if table else shown(request, None)


@to_read
def invitation(request: HttpRequest, code: str) -> HttpResponse:
    """Who invites to what, and how to sit down with any client; of a match the board, for whoever may look."""
    return shown(request, invited_to(code))


def shown(request: HttpRequest, table: Table | None) -> HttpResponse:
    context = {"server": settings.PUBLIC_URL} | (told(table) if table else {})
    return render(request, "tables/invitation.html", context, status=200 if table else 404)


def told(table: Table) -> dict[str, Any]:
    seats = table.seats.select_related("player").order_by("number")
    may_look = Table.objects.visible_to(None).filter(pk=table.pk).exists()
    has_begun = table.started_at is not None
    return {
        "table": table,
        "free": sum(seat.player is None for seat in seats),
        "is_open": table.status == Status.OPEN,
        "board": reverse("board", args=(table.pk,)) if may_look and has_begun else None,
        "winners": [seat.player.name for seat in seats if seat.player and seat.number in (table.winners or ())]
        if may_look
        else [],
    }
