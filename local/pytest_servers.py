"""A pytest plugin that starts temporary servers for a test run, before Django's settings are read."""

import os
from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from local.errors import LocalError
from local.servers import throwaway_servers
from words.compile import compile_all

DEFAULTS = {
    "SECRET_KEY": "only-for-tests-and-therefore-no-secret-0123456789",
    "DEBUG": "no",
    "ALLOWED_HOSTS": "testserver,localhost,127.0.0.1",
    "PUBLIC_URL": "http://testserver",
}


@pytest.hookimpl(wrapper=True)
def pytest_load_initial_conftests(early_config: pytest.Config) -> Iterator[None]:
    """Start the servers. As a wrapper, this hook runs before the hook of pytest-django, which reads the settings."""
    if must_start(early_config):
        start(early_config)
    return (yield)


def must_start(config: pytest.Config) -> bool:
    """Whether to start servers: not in pytest-xdist's workers, which inherit the environment, nor for ``--help``."""
    asked = config.known_args_namespace
    return "PYTEST_XDIST_WORKER" not in os.environ and not (asked.help or asked.version)


def start(config: pytest.Config) -> None:
    compile_all()
    stack = ExitStack()
    config.add_cleanup(stack.close)
    for name, value in DEFAULTS.items():
        os.environ.setdefault(name, value)
    try:
        os.environ.update(stack.enter_context(throwaway_servers()))
    except LocalError as error:
        raise pytest.UsageError(str(error)) from None
