"""The API call for the rule sheet of a table: its rules in words, to read or to print."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from drf_spectacular.types import OpenApiTypes
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from rest.languages import TranslatedResponse
from rest.rendering import FastJSONRenderer
from rest.texts import operation
from tables import repository
from tables.api.views import VisibleTableApiView
from tables.presenters.games import presenter_of
from tables.presenters.mexican_train.rulebook import SheetAnswer
from tables.presenters.sheets import sheet_text

JSON, TEXT = "application/json", "text/plain"


class PlainSheet(BaseRenderer):
    """``Accept: text/plain``: the sheet as text, to print."""

    media_type = TEXT
    format = "txt"
    charset = "utf-8"

    def render(
        self, data: Any, accepted_media_type: str | None = None, renderer_context: Mapping[str, Any] | None = None
    ) -> str:
        return "" if data is None else sheet_text(data)


class SheetView(VisibleTableApiView):
    renderer_classes = (FastJSONRenderer, PlainSheet)

    @operation(
        "rule_sheet",
        "Show the rules of a table in whole sentences, in the order of a rule book",
        "With `Accept: text/plain`, the answer is a text.",
        responses={(200, JSON): SheetAnswer, (200, TEXT): OpenApiTypes.STR},
    )
    def get(self, request: Request, table_id: UUID) -> Response:
        table = self.visible_table()
        options = repository.options_of(table)
        seats = sorted(table.seats.all(), key=lambda seat: seat.number)
        sheet = presenter_of(table.game).present_sheet(table.preset, options, [seat.name for seat in seats])
        answer: SheetAnswer = {"table": str(table.id), "name": table.name, **sheet}
        return TranslatedResponse(answer)
