"""Reading and validating request bodies: JSON or text of a limited size, with values that the database can store."""

import io
import json
import math
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from functools import cache
from typing import IO, Any, ClassVar

from django.http import HttpRequest, HttpResponseBase, UnreadablePostError
from django.urls import Resolver404, resolve
from django.utils.translation import gettext
from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail, ParseError
from rest_framework.fields import empty
from rest_framework.parsers import BaseParser, JSONParser
from rest_framework.utils.json import strict_constant

from rest.paths import is_for_api
from rest.problem_documents import plain_response
from rest.problems import BodyTooLarge, UnreadableBody

MOST_BYTES = 64 * 1024
MOST_ANYWHERE = 1024 * 1024
"""The largest limit that a view's class may set in ``most_bytes``."""
MOST_LEVELS = 32
"""Far more than our bodies need, and far fewer than Python's recursion limit allows."""
MOST_DIGITS = 4300
"""Python's own limit on the digits of one integer."""


class StrictJSONParser(JSONParser):
    """Parses JSON. Refuses what later code cannot handle: deep nesting, very long numbers, unpaired surrogates.

    It also refuses an object with the same name twice: some readers take the first value, and some the last.
    """

    def parse(
        self, stream: IO[Any], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> Any:
        try:
            text = stream.read().decode()
            body = json.loads(text, object_pairs_hook=each_once, parse_constant=strict_constant, parse_int=whole)
            check(body)
        except RecursionError as error:
            raise ParseError(gettext("This body is nested too deeply.")) from error
        except UnicodeEncodeError as error:
            raise ParseError(gettext("A text in this body contains half of a surrogate pair.")) from error
        except ValueError as error:
            raise no_json(error) from error
        return body


def each_once(members: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return a JSON object as a dict. Raises ``ParseError`` if it has the same name twice."""
    whole = dict(members)
    if len(whole) < len(members):
        names = [name for name, _ in members]
        twice = next(name for name in names if names.count(name) > 1)
        raise ParseError(gettext("The field {name} occurs twice in one object.").format(name=json.dumps(twice[:100])))
    return whole


def whole(digits: str) -> int:
    """Return a JSON integer. Raises ``ParseError`` if it has too many digits."""
    if len(digits) > MOST_DIGITS:
        raise out_of_range()
    return int(digits)


def out_of_range() -> ParseError:
    return ParseError(gettext("A number in this body is out of range."))


def no_json(error: ValueError) -> ParseError:
    """Return the error for a body that is not JSON. It names line and column if Python's parser does."""
    if isinstance(error, json.JSONDecodeError):
        place = gettext("This body is not valid JSON: the error is at line {line}, column {column}.")
        return ParseError(place.format(line=error.lineno, column=error.colno))
    return ParseError(gettext("This body is not valid JSON."))


class PlainText(str):
    """A plain text body. Its own type distinguishes it from a JSON body that is a string."""

    __slots__ = ()


class PlainTextParser(BaseParser):
    """Parses UTF-8 text. The content is not checked."""

    media_type = "text/plain"

    def parse(
        self, stream: IO[Any], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> Any:
        try:
            return PlainText(stream.read().decode())
        except UnicodeDecodeError as error:
            raise ParseError(gettext("The text is not UTF-8.")) from error


def check(value: Any, depth: int = 0) -> None:
    """Check a JSON value and all values in it.

    Raises ``UnicodeEncodeError`` for a text with an unpaired surrogate, and ``ParseError`` for a number out of range
    or a value that is nested too deeply.
    """
    if depth > MOST_LEVELS:
        raise ParseError(gettext("This body is nested too deeply."))
    if isinstance(value, str):
        value.encode()
    elif isinstance(value, float) and not math.isfinite(value):
        raise out_of_range()
    elif isinstance(value, dict):
        check(list(value), depth)
        check(list(value.values()), depth)
    elif isinstance(value, list):
        for inner in value:
            check(inner, depth + 1)


class BodyLimit:
    """Middleware: refuses an API request whose body is longer than 64 KiB or its view's limit, without reading it.

    It reads other bodies here, before the request takes a database connection, because the sender may be slow.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if not is_for_api(request):
            return self.get_response(request)
        length = length_of(request)
        if length > MOST_BYTES and length > (most := most_bytes(request)):
            return plain_response(BodyTooLarge(gettext("A body may have at most {most} bytes.").format(most=most)))
        if length > 0 and not has_arrived(request, length):
            return plain_response(UnreadableBody(gettext("The body did not arrive; send the request again.")))
        return self.get_response(request)


def has_arrived(request: HttpRequest, length: int) -> bool:
    """Read the body, which the request keeps. Returns whether it is complete: a part could have another meaning."""
    try:
        return len(request.body) == length
    except UnreadablePostError:
        return False


def most_bytes(request: HttpRequest) -> int:
    """Return the most bytes that a body may have for the view at this URL."""
    try:
        view = resolve(request.path_info).func
    except Resolver404:
        return MOST_BYTES
    return int(getattr(getattr(view, "cls", None), "most_bytes", MOST_BYTES))


def length_of(request: HttpRequest) -> int:
    """Return the ``Content-Length``. An invalid value counts as 0, as in Django."""
    try:
        return int(request.META.get("CONTENT_LENGTH") or 0)
    except ValueError:
        return 0


class ReadChunkedBodies:
    """WSGI middleware for two things that Django misreads: chunked bodies and charsets.

    Django takes a chunked body for an empty one, because it has no length. So the body is read here, and its length is
    set. The charset is removed, because all bodies are UTF-8. With the name of a Python codec that is not a charset,
    such as ``zlib``, Django would fail before there is a request to refuse.
    """

    def __init__(self, application: Callable[..., Iterable[bytes]]) -> None:
        self.application = application

    def __call__(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        if "chunked" in environ.get("HTTP_TRANSFER_ENCODING", "").lower() and not environ.get("CONTENT_LENGTH"):
            body = environ["wsgi.input"].read(MOST_ANYWHERE + 1)
            environ.update({"CONTENT_LENGTH": str(len(body)), "wsgi.input": io.BytesIO(body)})
        environ["CONTENT_TYPE"] = without_charset(environ.get("CONTENT_TYPE", ""))
        return self.application(environ, start_response)


class NoBodyForHead:
    """WSGI middleware: removes the body of an answer to HEAD. With a body the web server would log a warning."""

    def __init__(self, application: Callable[..., Iterable[bytes]]) -> None:
        self.application = application

    def __call__(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        answer = self.application(environ, start_response)
        if environ["REQUEST_METHOD"] != "HEAD":
            return answer
        if hasattr(answer, "close"):
            answer.close()
        return []


def without_charset(content_type: str) -> str:
    parts = content_type.split(";")
    return ";".join(part for part in parts if not part.strip().lower().startswith("charset"))


def is_whole(value: object) -> bool:
    """Whether JSON Schema calls this value an integer: 4.0 is one, ``true`` is not."""
    return type(value) is int or (isinstance(value, float) and value.is_integer())


JSON_TYPES: Mapping[type[serializers.Field], Callable[[object], bool]] = {  # type: ignore[type-arg]  # of any kind
    serializers.IntegerField: is_whole,
    serializers.BooleanField: lambda value: isinstance(value, bool),
    serializers.CharField: lambda value: isinstance(value, str),
}
"""For each kind of field: whether a JSON value has the type that the schema declares."""


class StrictFields(serializers.Serializer[Any]):
    """A serializer that refuses unknown names: a misspelt name would silently have no effect.

    All errors are reported together. ``checks`` maps names of fields, which all have defaults, to a function that
    validates them together. It runs if these fields are valid, even if others are not.
    """

    checks: ClassVar[Mapping[tuple[str, ...], Callable[..., None]]] = {}

    def to_internal_value(self, data: Any) -> Any:
        fields: dict[str, Any] = {}
        wrong: dict[str, Any] = {}
        try:
            fields = super().to_internal_value(data)
        except serializers.ValidationError as refused:
            wrong = dict(refused.detail)  # type: ignore[arg-type]  # DRF's own is by field
        if isinstance(data, Mapping):
            wrong |= of_other_type(data, self.fields)
            wrong |= self.not_fitting(data, wrong) | unknown_fields(data, self.fields)
        if wrong:
            raise serializers.ValidationError(wrong)
        return fields

    def not_fitting(self, data: Mapping[str, Any], wrong: Mapping[str, Any]) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for names, check in self.checks.items():
            if wrong.keys().isdisjoint(names):
                try:
                    check(*(self.fields[name].run_validation(data.get(name, empty)) for name in names))
                except serializers.ValidationError as refused:
                    found |= dict(refused.detail)  # type: ignore[arg-type]  # by field here too
        return found


def of_other_type(data: Mapping[str, Any], fields: Mapping[str, Any]) -> dict[str, list[ErrorDetail]]:
    """Return the errors of values with another JSON type, such as ``"4"`` for 4, which DRF would accept."""
    return {
        name: [ErrorDetail(str(field.error_messages["invalid"]), code="invalid")]
        for name, field in fields.items()
        for kind, is_one in JSON_TYPES.items()
        if isinstance(field, kind) and data.get(name) is not None and not is_one(data[name])
    }


def unknown_fields(data: Mapping[str, Any], known: Mapping[str, Any]) -> dict[str, list[ErrorDetail]]:
    unknown = [str(name)[:100] for name in data if name not in known]
    return {name: [ErrorDetail(gettext("There is no such field."), code="unknown_field")] for name in unknown}


def validated(kind: type[serializers.Serializer[Any]], given: Any, *, partial: bool = False) -> dict[str, Any]:
    """Return the validated fields of a body or a query. Raises ``ValidationError``, which names each invalid field."""
    if not partial:
        with suppress(serializers.ValidationError):  # raised below, in the request's language
            return dict(shared(kind).run_validation(given))
    serializer = kind(data=given, partial=partial)
    serializer.is_valid(raise_exception=True)
    return dict(serializer.validated_data)


@cache
def shared(kind: Callable[[], serializers.Serializer[Any]]) -> serializers.Serializer[Any]:
    """Return one serializer for all requests, because creating its fields takes longer than using them.

    Never return its errors to a caller: DRF keeps each message in the language of its first use.
    """
    serializer = kind()
    serializer.fields.keys()  # creates the fields before threads share them
    return serializer
