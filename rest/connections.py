"""Connections to the database: there are few for all who call, so whoever does not need one gives it back."""

from django.db import close_old_connections, connection


def give_back() -> None:
    """Before computing or waiting for long. Where each thread has one of its own it stays; so does a transaction's."""
    if not connection.in_atomic_block:
        close_old_connections()
