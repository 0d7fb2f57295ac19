"""A running server for the acceptance tests of one pytest worker. They are all slow."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.acceptance.server import Client, Server, running_server
from tests.receiver import Receiver, receiving

FOLDER = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave these tests to ``make test-all``: each module starts processes, or a browser, or compiles a client.

    They come first, so that one worker of pytest-xdist runs them all: idle workers take over the last tests of others.
    """
    for item in items:
        if is_here(item):
            item.add_marker(pytest.mark.slow)
    items.sort(key=lambda item: not is_here(item))


def is_here(item: pytest.Item) -> bool:
    return item.path.is_relative_to(FOLDER)


@pytest.fixture(scope="session")
def receiver(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Receiver]:
    """A player's own https server, to which the server below may send messages."""
    with receiving(tmp_path_factory.mktemp("receiver")) as running:
        yield running


@pytest.fixture(scope="session")
def server(receiver: Receiver) -> Iterator[Server]:
    own = {"WEBHOOK_TEST_RECEIVERS": receiver.host, "SSL_CERT_FILE": str(receiver.authority)}
    with running_server(**own) as running:
        yield running


@pytest.fixture
def alice(server: Server) -> Client:
    return Client(server, "Alice")
