"""Admin actions that ask for confirmation, name their consequences, and are written to the history."""

from collections.abc import Callable, Sequence
from typing import Any

from django.contrib import admin, messages
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse

CONFIRMED = "confirmed"


class ConfirmedActions(admin.ModelAdmin[Any]):
    """An admin list whose actions call ``confirm`` with a function that changes one row."""

    def confirm(
        self,
        request: HttpRequest,
        rows: Sequence[Any],
        act: Callable[[Any], bool],
        *,
        question: str,
        done: str,
        consequences: Callable[[], Sequence[str]] = tuple,
    ) -> HttpResponse | None:
        """Ask for confirmation. Once the admin has confirmed, call ``act`` for each row.

        ``act`` returns whether it changed the row; if so, ``done`` is written to the row's history as a sentence.
        ``rows`` are the selected rows that the action applies to. If there are none, a warning is shown instead.
        """
        if not rows:
            self.message_user(request, "This action is for none of the selected rows.", messages.WARNING)
            return None
        if request.POST.get(CONFIRMED) != "yes":
            return self.ask(request, rows, question, consequences())
        changed = [row for row in rows if act(row)]
        for row in changed:
            self.log_change(request, row, f"{done}.")
        self.message_user(request, f"{done}: {len(changed)} of {len(rows)}.", messages.SUCCESS)
        return None

    def ask(
        self, request: HttpRequest, rows: Sequence[Any], question: str, consequences: Sequence[str]
    ) -> HttpResponse:
        asked = {"question": question, "consequences": consequences, "rows": rows, "title": "Are you sure?"}
        sent = {"action": request.POST["action"], "checkbox": ACTION_CHECKBOX_NAME, "confirmed": CONFIRMED}
        context = {**self.admin_site.each_context(request), **asked, **sent, "back": request.get_full_path()}
        return TemplateResponse(request, "admin/confirm_action.html", context | {"opts": self.opts})
