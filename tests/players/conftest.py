"""A fixture for a player with an account."""

import pytest

from players.accounts import register
from players.tokens import issue_token
from tests.cast import Caller

PASSWORD = "tiles-and-trains"


@pytest.fixture
def dora(alice: Caller) -> Caller:
    """Alice's account, under the username ``dora``, with a second token."""
    assert alice.player is not None
    player = register(alice.player, "dora", PASSWORD, None)
    return Caller(issue_token(player), player)
