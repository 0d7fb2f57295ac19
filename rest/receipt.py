"""When a request was received: before it waited for a thread, a connection or a lock.

Whoever is judged by the clock is judged by this instant. It is that of the request's last byte: whoever sends the head
in time and the body later has not sent the request in time.
"""

import socket
import struct
from datetime import UTC, datetime, timedelta

from django.conf import settings
from django.http import HttpRequest
from django.utils import timezone
from rest_framework.request import Request

LAST_DATA_RECEIVED = 52
"""Where Linux's ``struct tcp_info`` has the milliseconds since data last arrived (``tcpi_last_data_recv``)."""
LONGEST = timedelta(minutes=10)
"""No request waits longer; a time further back is a proxy's clock that is wrong, and is not believed."""


def received_at(request: HttpRequest | Request) -> datetime:
    """When the last byte of this request arrived, as far as anybody knows. Ask once the body has been read.

    A trusted proxy says so in a header (``REQUEST_START_HEADER``), Linux of the connection; elsewhere it is now.
    """
    arrived = timezone.now() - since_arrival(request.META.get("gunicorn.socket"))
    told = told_by_proxy(request)
    return told if told is not None and arrived - LONGEST < told < arrived else arrived


def since_arrival(connection: socket.socket | None) -> timedelta:
    """How long ago the kernel received the last data of this connection, to the precision of its clock."""
    if connection is None or connection.family not in {socket.AF_INET, socket.AF_INET6}:
        return timedelta()
    try:
        facts = connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, LAST_DATA_RECEIVED + 4)
        (milliseconds,) = struct.unpack_from("=I", facts, LAST_DATA_RECEIVED)
    except (OSError, AttributeError, struct.error):  # closed meanwhile; or another system, which does not tell
        return timedelta()
    return timedelta(milliseconds=milliseconds)


def told_by_proxy(request: HttpRequest | Request) -> datetime | None:
    """The time in the proxy's header: seconds since 1970, also as ``t=…``. Not read unless a setting names it."""
    if not settings.REQUEST_START_HEADER:
        return None
    try:
        return datetime.fromtimestamp(float(request.headers[settings.REQUEST_START_HEADER].removeprefix("t=")), UTC)
    except (KeyError, ValueError, OverflowError, OSError):
        return None
