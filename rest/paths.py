"""Parts of URLs: the prefix of the API, and the converter for ids."""

from django.http import HttpRequest
from django.urls.converters import UUIDConverter

API = "/api/"


def is_for_api(request: HttpRequest) -> bool:
    """Whether a request is for the API, not for a page or the admin."""
    return request.path.startswith(API)


class IdConverter(UUIDConverter):
    """A UUID in lower or upper case, because some languages write UUIDs in upper case."""

    regex = r"[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}"
