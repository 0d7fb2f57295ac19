"""The API call for the rule sheet of a table: its rules in words, to read or to print."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from drf_spectacular.types import OpenApiTypes
from rest_framework import serializers
from rest_framework.renderers import BaseRenderer, JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from rest.languages import Worded
from rest.texts import described, operation
from tables import repository
from tables.api.views import VisibleTableApiView
from tables.presenters.mexican_train.rulebook import present_sheet, sheet_text

Answer = serializers.Serializer[Any]
JSON, TEXT = "application/json", "text/plain"


class SheetSection(Answer):
    title = serializers.CharField()
    sentences = serializers.ListField(child=serializers.CharField())


@described("An option that differs from the preset: its value, and in words what it decides and what the value means.")
class OwnRule(Answer):
    option = serializers.CharField()
    value = serializers.JSONField()
    sentence = serializers.CharField()


class SheetAnswer(Answer):
    table = serializers.UUIDField()
    name = serializers.CharField(allow_blank=True)
    preset = serializers.CharField()
    title = serializers.CharField(help_text="The title of the preset.")
    seats = serializers.IntegerField()
    hand_size = serializers.IntegerField(help_text="Tiles dealt to each seat.")
    boneyard = serializers.IntegerField(help_text="Tiles left after the deal.")
    rounds = serializers.IntegerField()
    sections = SheetSection(many=True, help_text="The sections, in reading order.")
    differs_from_preset = OwnRule(many=True)
    differs_from_classic = OwnRule(many=True)


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
    renderer_classes = (JSONRenderer, PlainSheet)

    @operation(
        "rule_sheet",
        "Show the rules of a table in whole sentences, in the order of a rule book",
        "With `Accept: text/plain`, the answer is a text.",
        responses={(200, JSON): SheetAnswer, (200, TEXT): OpenApiTypes.STR},
    )
    def get(self, request: Request, table_id: UUID) -> Response:
        table = self.visible_table()
        options = repository.rules_of(table).own_options(repository.options_of(table.options))
        seats = sorted(table.seats.all(), key=lambda seat: seat.number)
        shown = present_sheet(table.preset, options, [seat.name for seat in seats])
        return Worded({"table": str(table.id), "name": table.name} | shown)
