"""The two pages for people: the front door, and what an invite's link shows."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from tables.models import INVITE_ALPHABET, Status, Table


def front(request: HttpRequest) -> HttpResponse:
    return redirect("docs")


def invitation(request: HttpRequest, code: str) -> HttpResponse:
    """Who invites to what, and how to sit down with any client."""
    code = code.strip().upper()
    known = Table.objects.select_related("host").filter(invite_code=code)
    table = known.first() if set(code) <= set(INVITE_ALPHABET) else None  # no other letter could be asked for safely
    context = {
        "table": table,
        "free": table.seats.filter(player=None).count() if table else 0,
        "is_open": table is not None and table.status == Status.OPEN,
        "server": settings.PUBLIC_URL,
    }
    return render(request, "tables/invitation.html", context, status=200 if table else 404)
