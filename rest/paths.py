"""Parts of addresses: ids as clients write them."""

from django.urls.converters import UUIDConverter


class IdConverter(UUIDConverter):
    """An id in either case, for some languages write their UUIDs in upper case."""

    regex = r"[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}"
