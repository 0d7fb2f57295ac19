"""Which methods an address takes, and what OPTIONS says of them."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from django.http import HttpResponseBase
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_safe
from rest_framework.metadata import BaseMetadata
from rest_framework.renderers import JSONRenderer

if TYPE_CHECKING:
    from rest_framework.request import Request
    from rest_framework.views import APIView


def to_read(page: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """What is only looked at: any other method is refused as one that is not there, not for want of a cookie."""
    return csrf_exempt(require_safe(page))


class AllowedMethods(BaseMetadata):
    """No more than ``Allow``, which every answer has; what the methods take is in the schema."""

    def determine_metadata(self, request: "Request", view: "APIView") -> None:
        request.accepted_renderer = JSONRenderer()  # writes nothing as nothing, as pages and pictures cannot
