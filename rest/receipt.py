"""The time at which a request was received, before it waited for a thread, a connection or a lock.

Deadlines are compared with this time. It is the time of the request's last byte: if the headers arrive before a
deadline and the body after it, the request is late.
"""

import socket
import struct
from datetime import UTC, datetime, timedelta

from django.conf import settings
from django.http import HttpRequest
from django.utils import timezone
from rest_framework.request import Request

LAST_DATA_RECEIVED = 52
"""The offset of ``tcpi_last_data_recv`` in Linux's ``struct tcp_info``: milliseconds since data last arrived."""
LONGEST = timedelta(minutes=10)
"""No request waits longer. If a proxy names an earlier time, its clock is wrong and the header is ignored."""


def received_at(request: HttpRequest | Request) -> datetime:
    """Return when the last byte of this request arrived. Call it after the body has been read.

    The time comes from a trusted proxy's header (``REQUEST_START_HEADER``), else from Linux; else it is now.
    """
    arrived = timezone.now() - since_arrival(request.META.get("gunicorn.socket"))
    at_proxy = time_in_header(request)
    return at_proxy if at_proxy is not None and arrived - LONGEST < at_proxy < arrived else arrived


def since_arrival(connection: socket.socket | None) -> timedelta:
    """Return how long ago the kernel received the last data of this connection; 0 if that is not known."""
    if connection is None or connection.family not in {socket.AF_INET, socket.AF_INET6}:
        return timedelta()
    try:
        facts = connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, LAST_DATA_RECEIVED + 4)
        (milliseconds,) = struct.unpack_from("=I", facts, LAST_DATA_RECEIVED)
    except (OSError, AttributeError, struct.error):  # closed meanwhile, or a system other than Linux
        return timedelta()
    return timedelta(milliseconds=milliseconds)


def time_in_header(request: HttpRequest | Request) -> datetime | None:
    """Return the time in the proxy's header: seconds since 1970, with or without ``t=`` before them.

    A setting names the header. Without the setting no header is read, because any caller could send one.
    """
    if not settings.REQUEST_START_HEADER:
        return None
    try:
        return datetime.fromtimestamp(float(request.headers[settings.REQUEST_START_HEADER].removeprefix("t=")), UTC)
    except (KeyError, ValueError, OverflowError, OSError):
        return None
