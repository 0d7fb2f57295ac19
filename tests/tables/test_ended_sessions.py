"""When a token ends, its streams and held requests end, however the token ended."""

from collections.abc import Callable
from typing import Any

import pytest
from knox.models import AuthToken

from players.accounts import change, end_tokens, forget, make_inactive
from players.models import Player
from players.sessions import end_session, sessions_of
from players.tokens import issue_token
from tables.api import waiting
from tables.watching import TOWER
from tests.at_once import threads
from tests.cast import Caller, open_table
from tests.players.conftest import PASSWORD
from tests.rest.checks import check_problem
from tests.streams import Heard, listening, opened
from tests.tables.test_waiting import await_watchers, look, tag_of

pytestmark = pytest.mark.django_db(transaction=True)
HIDDEN = Heard("end", None, {"reason": "hidden"})


@pytest.fixture(autouse=True)
def nobody_looks_by_the_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that a stream which does not hear of it ends otherwise, and the test with it."""
    monkeypatch.setattr(waiting, "LOOKS_EVERY", 3600.0)
    monkeypatch.setattr(waiting, "LONGEST", 20.0)


@pytest.fixture
def table(alice: Caller) -> dict[str, Any]:
    return open_table(alice, seats=3)


def account(caller: Caller) -> Player:
    assert caller.player is not None
    caller.player.set_password(PASSWORD)
    caller.player.username = str(caller.player.pk)
    caller.player.save()
    return caller.player


def end_others(player: Player) -> None:
    for session in sessions_of(player, None):
        end_session(player, session.id)


def change_password(player: Player) -> None:
    issue_token(player)
    kept = AuthToken.objects.filter(user=player).latest("created")
    change(player, {"current_password": PASSWORD, "password": "dominoes at night"}, kept)


ENDS: dict[str, Callable[[Player], object]] = {
    "session": end_others,
    "everywhere": end_tokens,
    "password": change_password,
    "deleted": forget,
    "inactive": make_inactive,
}
each_end = pytest.mark.parametrize("end", ENDS.values(), ids=ENDS)


@each_end
def test_the_stream_of_all_tables_ends(table: dict[str, Any], alice: Caller, end: Callable[[Player], object]) -> None:
    player = account(alice)
    with opened("players/me/events", alice) as stream:
        stream.part()
        end(player)
        assert stream.rest()[-1] == HIDDEN


def test_a_tables_stream_ends(table: dict[str, Any], alice: Caller) -> None:
    with listening(table, alice) as stream:
        end_tokens(account(alice))
        assert stream.rest() == [HIDDEN]


def test_a_held_request_is_refused_at_once(table: dict[str, Any], alice: Caller) -> None:
    tag = tag_of(table, alice)
    with threads() as begin_in_thread:
        held = begin_in_thread(lambda: look(table, alice, tag))
        await_watchers(1)
        end_tokens(account(alice))
        check_problem(held.result(10), 401, "bad_token")


def test_other_sessions_of_the_player_go_on(table: dict[str, Any], alice: Caller) -> None:
    player = account(alice)
    other = Caller(issue_token(player), player)
    with opened("players/me/events", alice) as stream:
        stream.part()
        other.post("players/logout")
        table = open_table(alice, seats=2)
        assert stream.event().data["table"] == table["id"]
    assert TOWER.count == 0
