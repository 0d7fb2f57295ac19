"""A running server for the acceptance tests of one pytest worker; a file's tests are kept together in one."""

from collections.abc import Iterator

import pytest

from tests.acceptance.server import Client, Server, running_server
from tests.receiver import Receiver, receiving


@pytest.fixture(scope="session")
def receiver(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Receiver]:
    """A player's own https server, which the server below is allowed to tell."""
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
