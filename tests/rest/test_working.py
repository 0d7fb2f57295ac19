"""The limit on API requests at work: the queue, the 503, and requests that wait for a change."""

from collections.abc import Callable
from typing import Any

import pytest

from rest import working
from rest.working import Places
from tests.acceptance.server import until
from tests.at_once import threads
from tests.cast import Caller
from tests.matches import arrange, begin, send
from tests.rest.checks import check_problem
from tests.streams import listening

LONG = 20


@pytest.fixture
def one_place(monkeypatch: pytest.MonkeyPatch) -> Places:
    """One place, and no queue."""
    places = Places(1, 0)
    monkeypatch.setattr(working, "PLACES", places)
    return places


@pytest.fixture
def table(alice: Caller, bob: Caller) -> dict[str, Any]:
    begun = begin(alice, bob)
    arrange(begun, "6-5 6-4 3-1", "5-5 5-2 4-3", boneyard="2-0 6-0 1-1")
    return begun


def test_a_request_beyond_the_queue_is_refused() -> None:
    places = Places(2, 0)
    assert [places.take(LONG) for _ in range(3)] == [True, True, False]


def test_a_request_that_waits_too_long_is_refused_and_leaves_the_queue() -> None:
    places = Places(1, 1)
    assert places.take(LONG)
    assert not places.take(0.01)
    places.give()
    assert places.free == 1


def test_a_place_goes_to_the_first_in_the_queue() -> None:
    places, order = Places(1, 2), list[int]()

    def work(number: int) -> None:
        assert places.take(LONG)
        order.append(number)
        places.give()

    assert places.take(LONG)
    with threads() as start:
        for number in (1, 2):
            start(lambda number=number: work(number))  # type: ignore[misc]
            until(lambda number=number: len(places._waiting) == number, "it waits", LONG)  # type: ignore[misc]
        places.give()
    assert order == [1, 2]
    assert places.free == 1


def test_a_lent_place_is_taken_back_even_after_a_wait() -> None:
    places = Places(1, 0)

    def take_while_lent(act: Callable[[], object]) -> None:
        with places.lent():
            assert places.free == 1
            assert places.take(LONG)
            act()

    with threads() as start:
        assert places.take(LONG)
        take_while_lent(lambda: start(places.give))
        places.give()
    assert places.free == 1


def test_a_thread_without_a_place_lends_none() -> None:
    places = Places(1, 0)
    with places.lent():
        assert places.free == 1
    assert places.free == 1


@pytest.mark.django_db
def test_a_busy_server_answers_503_with_retry_after(one_place: Places, alice: Caller, client: Any) -> None:
    assert alice.get("players/me").status == 200
    assert one_place.take(0)
    refused = alice.get("players/me")
    check_problem(refused, 503, "unavailable")
    assert int(refused.headers["Retry-After"]) > 0
    assert int(refused.headers["Content-Length"]) > 0  # or a simple client could not keep its connection
    assert client.get("/healthz").status_code == 200
    assert client.get("/readyz").json()["database"] == "ok"
    one_place.give()
    assert alice.get("players/me").status == 200


@pytest.mark.django_db
def test_a_request_that_fails_gives_its_place_back(one_place: Places, alice: Caller) -> None:
    assert alice.get("tables/nowhere").status == 404
    assert one_place.free == 1


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("path", ["tables/{id}/position", "players/me/tables"])
def test_a_request_that_waits_for_a_change_lends_its_place(
    path: str, table: dict[str, Any], alice: Caller, bob: Caller, one_place: Places
) -> None:
    path = path.format(**table)
    tag = str(bob.get(path).headers["ETag"])
    with threads() as start:
        held = start(lambda: bob.get(f"{path}?wait={LONG}", If_None_Match=tag))
        until(lambda: has_watcher() and one_place.free == 1, "it waits", LONG)
        assert send(table, alice, "6-5>mexican", 1).status == 201
        assert held.result(LONG).status == 200
    assert one_place.free == 1


def has_watcher() -> bool:
    from tables.watching import TOWER

    return TOWER.count > 0


@pytest.mark.django_db(transaction=True)
def test_a_stream_takes_no_place(table: dict[str, Any], alice: Caller, bob: Caller, one_place: Places) -> None:
    with listening(table, bob) as stream:
        assert send(table, alice, "6-5>mexican", 1).status == 201
        assert stream.event().kind == "move"
    assert one_place.free == 1
