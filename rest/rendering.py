"""Rendering of answers as JSON."""

from collections.abc import Mapping
from typing import Any

import orjson
from rest_framework.renderers import JSONRenderer
from rest_framework.utils.encoders import JSONEncoder

ENCODER = JSONEncoder()
WRITTEN_BY_DRF = orjson.OPT_PASSTHROUGH_DATETIME | orjson.OPT_PASSTHROUGH_SUBCLASS
"""Values that orjson would write in another way than DRF: times, and strings such as lazy translations."""


class FastJSONRenderer(JSONRenderer):
    """DRF's renderer with orjson. What orjson refuses, such as integers above 64 bits, DRF renders itself."""

    def render(
        self, data: Any, accepted_media_type: str | None = None, renderer_context: Mapping[str, Any] | None = None
    ) -> bytes:
        if data is None or ";" in (accepted_media_type or ""):  # no body, or the caller wants indentation
            return super().render(data, accepted_media_type, renderer_context)
        try:
            return orjson.dumps(data, ENCODER.default, WRITTEN_BY_DRF)
        except TypeError:
            return super().render(data, accepted_media_type, renderer_context)
