"""The view of the OpenAPI schema. Each process generates the schema once, because it depends on no request."""

import hashlib
import json
from collections.abc import Mapping
from functools import cache
from typing import Any

from django.utils import translation
from django.utils.decorators import method_decorator
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.utils import extend_schema
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from rest.conditions import conditional


class SchemaRenderer(BaseRenderer):
    """A renderer for data that is JSON text already."""

    media_type = "application/vnd.oai.openapi+json"
    format = "json"
    charset = None

    def render(
        self, data: Any, accepted_media_type: str | None = None, renderer_context: Mapping[str, Any] | None = None
    ) -> bytes:
        if data is None:
            return b""
        return data if isinstance(data, bytes) else json.dumps(data).encode()


class SchemaJSONRenderer(SchemaRenderer):
    """The same for clients that accept only ``application/json``."""

    media_type = "application/json"


@cache
def schema_text() -> tuple[bytes, str]:
    """Return the schema in English, as JSON, and its ``ETag``."""
    with translation.override("en"):
        schema = SchemaGenerator().get_schema(request=None, public=True)  # type: ignore[no-untyped-call]
    text = json.dumps(schema, ensure_ascii=False).encode()
    return text, f'"{hashlib.sha256(text).hexdigest()[:32]}"'


@method_decorator(conditional, name="dispatch")
class SchemaView(APIView):
    renderer_classes = (SchemaRenderer, SchemaJSONRenderer)
    throttle_classes = ()

    @extend_schema(exclude=True)
    def get(self, request: Request) -> Response:
        """Return the schema. ``conditional`` turns it into a 304 if the caller has it already."""
        text, tag = schema_text()
        return Response(text, headers={"ETag": tag, "Cache-Control": "no-cache"})
