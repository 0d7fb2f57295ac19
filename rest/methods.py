"""What OPTIONS says of an address."""

from typing import TYPE_CHECKING

from rest_framework.metadata import BaseMetadata
from rest_framework.renderers import JSONRenderer

if TYPE_CHECKING:
    from rest_framework.request import Request
    from rest_framework.views import APIView


class AllowedMethods(BaseMetadata):
    """No more than ``Allow``, which every answer has; what the methods take is in the schema."""

    def determine_metadata(self, request: "Request", view: "APIView") -> None:
        request.accepted_renderer = JSONRenderer()  # writes nothing as nothing, as pages and pictures cannot
