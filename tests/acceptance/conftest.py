"""One running server for all acceptance tests, which are kept together in one pytest worker."""

from collections.abc import Iterator

import pytest

from tests.acceptance.server import Client, Server, running_server


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if "tests/acceptance" in item.path.as_posix():
            item.add_marker(pytest.mark.xdist_group("acceptance"))


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    with running_server() as running:
        yield running


@pytest.fixture
def alice(server: Server) -> Client:
    return Client(server, "Alice")
