"""The answer to OPTIONS."""

from typing import TYPE_CHECKING

from rest_framework.metadata import BaseMetadata

from rest.rendering import FastJSONRenderer

if TYPE_CHECKING:
    from rest_framework.request import Request
    from rest_framework.views import APIView


class AllowedMethods(BaseMetadata):
    """Answers OPTIONS without a body. ``Allow`` names the methods, and the schema describes them."""

    def determine_metadata(self, request: "Request", view: "APIView") -> None:
        request.accepted_renderer = FastJSONRenderer()  # it renders ``None`` as an empty body
