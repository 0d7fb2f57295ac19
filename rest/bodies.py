"""Reading request bodies: JSON, of a bounded size, with nothing in it that a database could not keep."""

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
from rest.problems import refuse

MOST_BYTES = 64 * 1024
MOST_ANYWHERE = 1024 * 1024
"""For a view whose class says so in ``most_bytes``."""
MOST_LEVELS = 32
"""Far more than any body of ours has, far fewer than Python can follow when it shows a value."""
MOST_DIGITS = 4300
"""So many Python reads in one number."""


class StrictJSONParser(JSONParser):
    """JSON without what would break further in: deep nesting, endless numbers, and halves of surrogate pairs.

    A name may stand only once in an object: with two, some readers take the first, and some the last.
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
            raise ParseError(gettext("A text in this body holds half of a surrogate pair.")) from error
        except ValueError as error:
            raise no_json(error) from error
        return body


def each_once(members: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object of JSON. Raises ``ParseError`` if a name stands in it twice."""
    whole = dict(members)
    if len(whole) < len(members):
        names = [name for name, _ in members]
        twice = next(name for name in names if names.count(name) > 1)
        raise ParseError(gettext("The field {name} stands twice in one object.").format(name=json.dumps(twice[:100])))
    return whole


def whole(digits: str) -> int:
    """A number of JSON without a fraction. Raises ``ParseError`` for one that is too long to be read."""
    if len(digits) > MOST_DIGITS:
        raise out_of_range()
    return int(digits)


def out_of_range() -> ParseError:
    return ParseError(gettext("A number in this body is out of range."))


def no_json(error: ValueError) -> ParseError:
    """Names the place where the text stops being JSON, if Python's reader says where."""
    if isinstance(error, json.JSONDecodeError):
        place = gettext("This body is not JSON: line {line}, column {column} cannot be read.")
        return ParseError(place.format(line=error.lineno, column=error.colno))
    return ParseError(gettext("This body is not JSON."))


class PlainText(str):
    """A body that is text, so that it is not taken for JSON that holds one."""

    __slots__ = ()


class PlainTextParser(BaseParser):
    """Text in UTF-8, whatever it holds."""

    media_type = "text/plain"

    def parse(
        self, stream: IO[Any], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> Any:
        try:
            return PlainText(stream.read().decode())
        except UnicodeDecodeError as error:
            raise ParseError(gettext("The text is not UTF-8.")) from error


def check(value: Any, depth: int = 0) -> None:
    """Raises ``UnicodeEncodeError`` for a text that is not Unicode, ``ParseError`` for the rest, wherever it stands."""
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
    """Middleware: an API request with a body over 64 KiB, or what its view takes, is refused before it is read.

    What is not too long is read here, before anybody has taken a connection to the database: the sender may be slow.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if not is_for_api(request):
            return self.get_response(request)
        length = length_of(request)
        if length > MOST_BYTES and length > (most := most_bytes(request)):
            return refuse(413, "body_too_large", gettext("A body may have at most {most} bytes.").format(most=most))
        if length > 0 and not has_arrived(request, length):
            return refuse(400, "unreadable_body", gettext("The body did not arrive."))
        return self.get_response(request)


def has_arrived(request: HttpRequest, length: int) -> bool:
    """Once the whole body has, which the request keeps; part of one might mean something else."""
    try:
        return len(request.body) == length
    except UnreadablePostError:
        return False


def most_bytes(request: HttpRequest) -> int:
    """How long a body the view at this address takes."""
    try:
        view = resolve(request.path_info).func
    except Resolver404:
        return MOST_BYTES
    return int(getattr(getattr(view, "cls", None), "most_bytes", MOST_BYTES))


def length_of(request: HttpRequest) -> int:
    """As Django reads it, to whom nonsense is nothing."""
    try:
        return int(request.META.get("CONTENT_LENGTH") or 0)
    except ValueError:
        return 0


class ReadChunkedBodies:
    """WSGI middleware for what Django misreads: bodies sent in chunks, and charsets.

    A body in chunks is given its length, without which it passes for empty. A charset is dropped: everything here is
    UTF-8, and one that Python knows but that is none, such as ``zlib``, fails before there is a request to refuse.
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
    """WSGI middleware: an answer to HEAD is its head; a server that is handed more complains in its log."""

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
    """As JSON Schema has it: 4.0 is an integer, ``true`` is none."""
    return type(value) is int or (isinstance(value, float) and value.is_integer())


JSON_TYPES: Mapping[type[serializers.Field], Callable[[object], bool]] = {  # type: ignore[type-arg]  # of any kind
    serializers.IntegerField: is_whole,
    serializers.BooleanField: lambda value: isinstance(value, bool),
    serializers.CharField: lambda value: isinstance(value, str),
}
"""What a field of each kind holds in JSON, as the schema says."""


class StrictFields(serializers.Serializer[Any]):
    """A body's fields: a name that is not among them is an error, for a misspelt one would silently do nothing.

    Whatever is wrong is told at once. ``checks`` are given fields that have to fit together, all of them with a
    default, if each is good by itself; so what they find is told although another field is wrong.
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
    """Numbers, truth values and texts that are written as one another, which Django REST framework would read."""
    return {
        name: [ErrorDetail(str(field.error_messages["invalid"]), code="invalid")]
        for name, field in fields.items()
        for kind, is_one in JSON_TYPES.items()
        if isinstance(field, kind) and data.get(name) is not None and not is_one(data[name])
    }


def unknown_fields(data: Mapping[str, Any], known: Mapping[str, Any]) -> dict[str, list[ErrorDetail]]:
    no_field = ErrorDetail(gettext("There is no such field."), code="unknown_field")
    return {str(name)[:100]: [no_field] for name in data if name not in known}


def validated(kind: type[serializers.Serializer[Any]], given: Any, *, partial: bool = False) -> dict[str, Any]:
    """The fields of a body or a query. Raises ``ValidationError`` naming each wrong one."""
    if not partial:
        with suppress(serializers.ValidationError):  # raised below, by fields that speak the language of this request
            return dict(shared(kind).run_validation(given))
    serializer = kind(data=given, partial=partial)
    serializer.is_valid(raise_exception=True)
    return dict(serializer.validated_data)


@cache
def shared(kind: Callable[[], serializers.Serializer[Any]]) -> serializers.Serializer[Any]:
    """One serializer for all requests, since making its fields costs more than using them.

    It must show no errors: Django REST framework keeps a message in the language in which it was first shown.
    """
    serializer = kind()
    serializer.fields.keys()  # makes them, before threads share them
    return serializer
