"""A lost call is sent again, with the same key or number, and so is a call that the server cannot answer yet."""

from typing import Any

import pytest

from mexican_train import BadAnswer, Patience, RateLimited, Unavailable, Unreachable
from tests.clients.asking import Ask, both
from tests.clients.scripted import LOST, Piece, head, refuse, reply, scripted
from tests.clients.test_schema import all_verbs, called
from tests.examples import answer_of
from tests.rest.operations import Operation, operations

TABLE = "0b9ad7ac-1f7f-4f5b-9b37-6b8d0a3d2c11"
ME = answer_of("me")
WELCOME = answer_of("register_guest")
PLAYED = answer_of("play")


def play(client: Any) -> Any:
    return client.play(TABLE, "12-7>0", 38)


@both
@pytest.mark.parametrize("failure", [LOST, refuse(503, "unavailable"), reply(502), reply(504), refuse(429, "x")])
def test_a_temporary_failure_is_retried(ask: Ask, failure: Any) -> None:
    with scripted(failure, failure, reply(200, ME)) as server:
        assert ask(server.url, lambda client: client.me()).name == ME["name"]
    assert [asked.path for asked in server.asked] == ["/api/v1/players/me"] * 3


@both
def test_a_move_is_sent_again_with_the_same_number(ask: Ask) -> None:
    with scripted(LOST, reply(502), reply(200, PLAYED)) as server:
        assert ask(server.url, play).number == PLAYED["number"]
    assert [asked.body for asked in server.asked] == [{"move": "12-7>0", "number": 38}] * 3


@both
def test_a_creating_call_is_retried_with_the_same_key_and_the_next_has_another(ask: Ask) -> None:
    with scripted(LOST, reply(201, WELCOME), reply(201, WELCOME)) as server:
        for _ in range(2):
            ask(server.url, lambda client: client.register_guest("Zoë"))
    first, again, other = (asked.headers["idempotency-key"] for asked in server.asked)
    assert first == again != other


@both
def test_a_key_given_by_the_caller_is_sent(ask: Ask) -> None:
    with scripted(LOST, reply(201, WELCOME)) as server:
        ask(server.url, lambda client: client.register_guest("Zoë", key="kept over a restart"))
    assert [asked.headers["idempotency-key"] for asked in server.asked] == ["kept over a restart"] * 2


@both
def test_a_call_with_an_incomplete_answer_is_retried(ask: Ask) -> None:
    begun: list[Piece] = [head(200, Content_Length="999", Content_Type="application/json") + b'{"id"']
    with scripted(begun, reply(200, ME)) as server:
        assert ask(server.url, lambda client: client.me()).name == ME["name"]


@both
@pytest.mark.parametrize("status", [400, 401, 403, 404, 409, 413, 422, 500])
def test_any_other_refusal_is_final(ask: Ask, status: int) -> None:
    with scripted(refuse(status, "x")) as server, pytest.raises(Exception, match=r"x: No\."):
        ask(server.url, play)
    assert len(server.asked) == 1


@both
def test_retry_after_is_respected(ask: Ask) -> None:
    def twice(client: Any) -> Any:
        return client.me()

    with scripted(refuse(429, "too_many_requests", Retry_After="3600")) as server, pytest.raises(RateLimited) as told:
        ask(server.url, twice)
    assert told.value.retry_after == 3600
    assert len(server.asked) == 1


@both
@pytest.mark.parametrize("told", ["\u00b2", "soon", "", "-1"])
def test_an_invalid_retry_after_is_ignored(ask: Ask, told: str) -> None:
    with scripted(refuse(503, "unavailable", Retry_After=told), reply(200, ME)) as server:
        assert ask(server.url, lambda client: client.me()).name == ME["name"]


@both
def test_an_answer_that_cannot_be_decoded_is_an_error(ask: Ask) -> None:
    garbled = reply(200, ME, Content_Encoding="gzip")
    with scripted(garbled) as server, pytest.raises(BadAnswer, match="GET players/me"):
        ask(server.url, lambda client: client.me())


@both
def test_emptying_a_seat_again_has_the_key_of_the_first_time(ask: Ask) -> None:
    with scripted(LOST, reply(204)) as server:
        ask(server.url, lambda client: client.leave_seat(TABLE, 1))
    first, again = (asked.headers["idempotency-key"] for asked in server.asked)
    assert first == again


@both
def test_a_seat_is_emptied_again_only_while_that_player_sits_there(ask: Ask) -> None:
    with scripted(LOST, reply(204)) as server:
        ask(server.url, lambda client: client.leave_seat(TABLE, 1, player=ME["id"]))
    assert {asked.path for asked in server.asked} == {f"/api/v1/tables/{TABLE}/seats/1?player={ME['id']}"}


DONE_ONCE = {"play", "start", "cancel", "propose_clock", "withdraw_clock", "end_session"}
"""Calls that change nothing when they arrive again: docs/problems.md says so of each."""
ENDS_THE_TOKEN = {"logout", "forget_me"}
"""Calls that are refused with ``bad_token`` when they arrive again: the client takes that for done."""
EACH_ITS_OWN = {"login"}
"""A call whose answer is another one each time, and good."""
CHANGES_NOTHING = {"check_rules", "check_record"}


def test_every_call_has_a_reason_why_it_may_be_retried() -> None:
    calls = {name: called(verb) for name, verb in all_verbs().items()}
    changing = {name for name, call in calls.items() if call.method in {"POST", "DELETE"}}
    keyed = {name for name in changing if "Idempotency-Key" in calls[name].headers}
    assert changing - keyed == DONE_ONCE | ENDS_THE_TOKEN | EACH_ITS_OWN | CHANGES_NOTHING
    takes_key = {each.id for each in operations() if "Idempotency-Key" in header_names(each)}
    assert keyed == takes_key - {"play"}


def header_names(operation: Operation) -> set[str]:
    return {each["name"] for each in operation.description.get("parameters", ())}


@both
def test_after_the_total_time_the_last_refusal_is_raised(ask: Ask) -> None:
    with scripted(*[refuse(503, "unavailable")] * 9) as server, pytest.raises(Unavailable):
        ask(server.url, play)
    assert len(server.asked) == 4


@both
def test_without_an_answer_the_client_gives_up(ask: Ask) -> None:
    with scripted() as server, pytest.raises(Unreachable, match=r"POST tables/.*/moves"):
        ask(server.url, play)
    assert len(server.asked) == 4


@both
def test_a_call_without_a_timely_answer_is_retried(ask: Ask) -> None:
    slow = [0.4, *reply(200, ME)]
    with scripted(slow, reply(200, ME)) as server:
        assert ask(server.url, lambda client: client.me(), Patience(timeout=0.1, first=0.001)).name == ME["name"]


@both
def test_after_the_total_time_no_call_is_retried(ask: Ask) -> None:
    slow = [0.3, *reply(200, ME)]
    patience = Patience(timeout=0.1, total=0.25, attempts=99, first=0.01, most=0.01)
    with scripted(*[slow] * 9) as server, pytest.raises(Unreachable):
        ask(server.url, lambda client: client.me(), patience)
    assert 2 <= len(server.asked) <= 3


@both
def test_a_thing_that_is_gone_at_the_retry_counts_as_done(ask: Ask) -> None:
    with scripted(LOST, refuse(401, "bad_token")) as server:
        assert ask(server.url, lambda client: client.logout(), token="known") is None
    with scripted(LOST, refuse(404, "not_found")) as server:
        assert ask(server.url, lambda client: client.remove_webhook(TABLE)) is None
    with scripted(LOST, refuse(401, "bad_token")) as server:  # the session that ended was the client's own
        assert ask(server.url, lambda client: client.end_session(TABLE), token="known") is None


@both
@pytest.mark.parametrize("before", [[], [refuse(503, "unavailable")]])
def test_a_thing_that_is_gone_at_the_first_attempt_is_an_error(ask: Ask, before: Any) -> None:
    with scripted(*before, refuse(401, "bad_token")) as server, pytest.raises(Exception, match="bad_token"):
        ask(server.url, lambda client: client.logout(), token="revoked")


@both
@pytest.mark.parametrize("page", [reply(200), reply(200, []), reply(200, {**ME, "name": 1}), reply(302), reply(500)])
def test_an_answer_of_another_server_is_an_error(ask: Ask, page: Any) -> None:
    with scripted(page) as server, pytest.raises(BadAnswer):
        ask(server.url, lambda client: client.me())
    assert len(server.asked) == 1


@both
def test_an_impossible_address_is_an_error_at_once(ask: Ask) -> None:
    with pytest.raises(Unreachable, match="UnsupportedProtocol"):
        ask("ftp://127.0.0.1", lambda client: client.me())
