"""One running server for all acceptance tests, which are kept together in one pytest worker."""

from collections.abc import Iterator

import pytest

from tests.acceptance.server import Client, Server, running_server
from tests.receiver import Receiver, receiving


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if "tests/acceptance" in item.path.as_posix():
            item.add_marker(pytest.mark.xdist_group("acceptance"))


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
