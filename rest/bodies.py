"""Reading request bodies: JSON only, of a bounded size, with nothing in it that a database could not keep."""

import io
from collections.abc import Callable, Iterable, Mapping
from typing import IO, Any

from django.http import HttpRequest, HttpResponseBase
from rest_framework.exceptions import ParseError
from rest_framework.parsers import JSONParser
from rest_framework.serializers import BaseSerializer

from rest.problems import refuse

MOST_BYTES = 64 * 1024
GUARDED = "/api/"


class StrictJSONParser(JSONParser):
    """JSON without what would break further in: endless nesting, and halves of surrogate pairs."""

    def parse(
        self, stream: IO[Any], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> Any:
        try:
            body = super().parse(stream, media_type, parser_context)
            refuse_lone_surrogates(body)
        except RecursionError as error:
            raise ParseError("JSON parse error - nested too deeply.") from error
        except UnicodeEncodeError as error:
            raise ParseError("JSON parse error - a text holds half of a surrogate pair.") from error
        return body


def refuse_lone_surrogates(value: Any) -> None:
    """Raises ``UnicodeEncodeError`` for a text that is not Unicode, wherever it stands."""
    if isinstance(value, str):
        value.encode()
    elif isinstance(value, dict):
        for key, inner in value.items():
            refuse_lone_surrogates(key)
            refuse_lone_surrogates(inner)
    elif isinstance(value, list):
        for inner in value:
            refuse_lone_surrogates(inner)


class BodyLimit:
    """Middleware: an API request with a body over 64 KiB is refused before anything reads it."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        length = request.META.get("CONTENT_LENGTH") or "0"
        if request.path.startswith(GUARDED) and length.isdigit() and int(length) > MOST_BYTES:
            return refuse(413, "body_too_large", f"A body may have at most {MOST_BYTES} bytes.")
        return self.get_response(request)


class ReadChunkedBodies:
    """WSGI middleware: gives a body sent in chunks its length, without which Django takes it for empty."""

    def __init__(self, application: Callable[..., Iterable[bytes]]) -> None:
        self.application = application

    def __call__(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        if "chunked" in environ.get("HTTP_TRANSFER_ENCODING", "").lower() and not environ.get("CONTENT_LENGTH"):
            body = environ["wsgi.input"].read(MOST_BYTES + 1)
            environ.update({"CONTENT_LENGTH": str(len(body)), "wsgi.input": io.BytesIO(body)})
        return self.application(environ, start_response)


def checked(serializer: BaseSerializer[Any]) -> dict[str, Any]:
    """The validated fields of a body or a query. Raises ``ValidationError`` naming each wrong one."""
    serializer.is_valid(raise_exception=True)
    return dict(serializer.validated_data)
