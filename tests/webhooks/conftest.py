"""Alice has an https server of her own, and this server may send messages to it."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.cast import Caller
from tests.receiver import Receiver, receiving


@pytest.fixture
def receiver(tmp_path: Path, settings: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[Receiver]:
    with receiving(tmp_path) as running:
        settings.WEBHOOK_TEST_RECEIVERS = [running.host]
        monkeypatch.setenv("SSL_CERT_FILE", str(running.authority))
        yield running


@pytest.fixture
def webhook(alice: Caller, receiver: Receiver) -> dict[str, Any]:
    """Alice's webhook for all events, with its secret."""
    answer = alice.post("players/me/webhooks", {"url": receiver.url, "events": ["your_turn", "table_finished"]})
    assert answer.status == 201, answer.text
    registered: dict[str, Any] = answer.body
    return registered
