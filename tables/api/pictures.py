"""API calls that answer with a picture: the caller's position, or any position of a round that is over."""

from typing import Any
from uuid import UUID

from django.utils import timezone
from django.utils.decorators import method_decorator
from drf_spectacular.types import OpenApiTypes
from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from rest.bodies import validated
from rest.conditions import conditional
from rest.languages import language_headers
from rest.problems import PreconditionFailed, raises
from rest.texts import operation
from runtime.connections import release_connection
from tables import memory, refusals
from tables.api import fields
from tables.api.views import VisibleTableApiView
from tables.presenters.games import presenter_of
from tables.presenters.positions import present_past_position, present_position
from tables.presenters.tables import seat_names

SVG = "image/svg+xml"
HEADERS = {
    "Cache-Control": "private, no-cache",
    "Vary": "Authorization, Accept-Language",
    # A picture contains players' names, so it must not run or load anything when it is opened as a page.
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'",
    "X-Content-Type-Options": "nosniff",
}
DESCRIBED: dict[str, Any] = {
    "parameters": [fields.PictureFilterSerializer],
    "responses": {(200, SVG): OpenApiTypes.STR, 304: None},
}


class SVGRenderer(BaseRenderer):
    media_type = SVG
    format = "svg"
    charset = "utf-8"

    def render(self, data: Any, *args: Any, **kwargs: Any) -> bytes:
        return b"" if data is None else str(data).encode()


class IgnoreAcceptHeader(BaseContentNegotiation):
    """Ignores the ``Accept`` header: there is one media type, and browsers send different headers for ``<img>``."""

    def select_renderer(
        self, request: Request, renderers: Any, format_suffix: str | None = None
    ) -> tuple[BaseRenderer, str]:
        return renderers[0], renderers[0].media_type


@method_decorator(conditional, name="dispatch")
class Picture(APIView):
    """An answer in SVG with an ``ETag``, which depends on its bytes."""

    problems = (PreconditionFailed,)
    renderer_classes = (SVGRenderer,)
    content_negotiation_class = IgnoreAcceptHeader


class BoardView(Picture, VisibleTableApiView):
    @operation(
        "board_svg",
        "Draw the position as the caller sees it",
        "The answer is an SVG for `<img>`, with light and dark colours.",
        **DESCRIBED,
    )
    def get(self, request: Request, table_id: UUID) -> Response:
        asked = validated(fields.PictureFilterSerializer, request.query_params)
        snapshot = memory.load(table_id, self.caller.version)
        assert snapshot is not None
        release_connection()
        position = present_position(snapshot, self.caller.player, timezone.now())
        names = {seat["seat"]: seat["name"] for seat in position["seats"]}
        picture = presenter_of(snapshot.game).board(position, names, asked["shape"])
        return Response(picture, headers=language_headers() | HEADERS)


class PastBoardView(Picture, VisibleTableApiView):
    path_meanings = VisibleTableApiView.path_meanings | {"number": "The place of the move in the table's log, from 1."}

    @operation(
        "past_board_svg",
        "Draw the position after any move of a round that is over, with all hands open",
        **DESCRIBED,
    )
    @raises(refusals.RoundNotOver)
    def get(self, request: Request, table_id: UUID, number: int) -> Response:
        asked = validated(fields.PictureFilterSerializer, request.query_params)
        table = self.visible_table()
        position = present_past_position(table, number)
        names = seat_names(table_id)
        release_connection()
        picture = presenter_of(table.game).past_board(position, names, asked["shape"])
        return Response(picture, headers=language_headers() | HEADERS)
