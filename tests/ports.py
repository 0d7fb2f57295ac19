"""Ports for servers of tests that may be started again."""

import socket
from contextlib import suppress
from random import randrange


def free_port() -> int:
    """One that the system gives to no outgoing connection, so that it is free when its server comes back."""
    while True:
        port = randrange(20_000, 32_768)
        with socket.socket() as listener, suppress(OSError):
            listener.bind(("127.0.0.1", port))
            return port
