"""``PATCH tables/{id}``."""

from typing import Any

import pytest

from tests.cast import Caller, open_table
from tests.rest.checks import check_refused


def test_it_works(two_seats: dict[str, Any], alice: Caller, bob: Caller) -> None:
    before = bob.get(f"tables/{two_seats['id']}").body
    changes = {"name": "Friday", "turn_seconds": 60, "on_timeout": "bot", "visibility": "public", "auto_pass": True}
    changes |= {"spectators": "none", "bot_delay_ms": 100, "on_leave": "random"}
    answer = alice.patch(f"tables/{two_seats['id']}", changes)
    assert answer.status == 200
    assert answer.body == before | changes | {"version": before["version"] + 1}
    assert bob.get(f"tables/{two_seats['id']}").body == answer.body


def test_options_that_are_left_out_stay(alice: Caller) -> None:
    table = open_table(alice, seats=2, options={"set_max_pip": 6, "hand_sizes": {"2": 8}, "double_blank_points": 50})
    now = alice.patch(f"tables/{table['id']}", {"options": {"rounds": 5}}).body["options"]
    assert now == table["options"] | {"rounds": 5}


def test_options_that_depend_on_the_set_follow_it(alice: Caller) -> None:
    table = open_table(alice, seats=2)
    now = alice.patch(f"tables/{table['id']}", {"options": {"set_max_pip": 9, "hand_sizes": {"2": 10}}}).body["options"]
    assert (now["engine_first"], now["rounds"]) == (9, 10)


def test_a_new_preset_drops_the_earlier_options(alice: Caller) -> None:
    table = open_table(alice, options={"rounds": 3})
    assert alice.patch(f"tables/{table['id']}", {"preset": "classic"}).body["options"]["rounds"] == 13


def test_the_seat_that_begins_is_one_that_the_table_has(alice: Caller) -> None:
    """Also when only the number of seats changes."""
    table = open_table(alice, seats=4, options={"first_round_starter": "seat_3"})
    path = f"tables/{table['id']}"
    field = "options.first_round_starter"
    check_refused(lambda: alice.patch(path, {"seats": 3}), 400, "invalid", field)
    other = {"options": {"first_round_starter": "seat_4"}}
    check_refused(lambda: alice.patch(path, other), 400, "invalid", field)
    assert alice.patch(path, {"seats": 2, "options": {"first_round_starter": "seat_1"}}).status == 200


def test_other_fields_leave_options_and_seats_alone(alice: Caller) -> None:
    table = open_table(alice, options={"rounds": 3}, seats=3)
    answer = alice.patch(f"tables/{table['id']}", {"name": "Friday"}).body
    assert (answer["options"], answer["seats"]) == (table["options"], table["seats"])


@pytest.mark.parametrize("seats", [2, 3, 8])
def test_seats_can_be_added_and_taken_away(two_seats: dict[str, Any], alice: Caller, seats: int) -> None:
    alice.patch(f"tables/{two_seats['id']}", {"seats": 5})
    answer = alice.patch(f"tables/{two_seats['id']}", {"seats": seats})
    assert answer.status == 200
    names = [seat["player"] and seat["player"]["name"] for seat in answer.body["seats"]]
    assert names == ["Alice", "Bob"] + [None] * (seats - 2)
    assert [seat["seat"] for seat in answer.body["seats"]] == list(range(seats))


def test_the_clock_can_be_removed(alice: Caller) -> None:
    table = open_table(alice, turn_seconds=60)
    assert alice.patch(f"tables/{table['id']}", {"turn_seconds": None}).body["turn_seconds"] is None


@pytest.mark.parametrize(
    ("who", "status", "code"),
    [("bob", 403, "not_host"), ("cleo", 403, "not_host"), ("spectator", 401, "not_authenticated")],
)
def test_only_the_host_may_change_a_table(
    two_seats: dict[str, Any], who: str, status: int, code: str, request: pytest.FixtureRequest
) -> None:
    caller: Caller = request.getfixturevalue(who)
    check_refused(lambda: caller.patch(f"tables/{two_seats['id']}", {"name": "Mine"}), status, code)


def test_a_running_table_cannot_be_changed(playing: dict[str, Any], alice: Caller) -> None:
    check_refused(lambda: alice.patch(f"tables/{playing['id']}", {"name": "Late"}), 409, "table_playing")


def test_a_cancelled_table_cannot_be_changed(two_seats: dict[str, Any], alice: Caller) -> None:
    alice.post(f"tables/{two_seats['id']}/cancel")
    check_refused(lambda: alice.patch(f"tables/{two_seats['id']}", {"name": "Late"}), 409, "table_cancelled")


def test_a_filled_seat_cannot_be_removed(alice: Caller, bob: Caller) -> None:
    table = open_table(alice, seats=4)
    bob.post("tables/join", {"invite": table["invite"]["code"], "seat": 3})
    check_refused(lambda: alice.patch(f"tables/{table['id']}", {"seats": 3}), 409, "seat_taken")


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"name": "x" * 61}, "name"),
    ({"name": None}, "name"),
    ({"preset": "no such"}, "preset"),
    ({"options": {"no_such": 1}}, "options.no_such"),
    ({"options": {"rounds": 14}}, "options.rounds"),
    ({"options": {"hand_sizes": {"2": 99}}}, "options.hand_sizes"),
    ({"options": {"hand_sizes": {"3": 5}}}, "seats"),
    ({"options": None}, "options"),
    ({"seats": 0}, "seats"),
    ({"seats": None}, "seats"),
    ({"turn_seconds": 4}, "turn_seconds"),
    ({"on_timeout": "resign"}, "on_timeout"),
    ({"visibility": "secret"}, "visibility"),
    ({"spectators": "some"}, "spectators"),
    ({"bot_delay_ms": 5001}, "bot_delay_ms"),
    ({"auto_pass": "perhaps"}, "auto_pass"),
    ({"on_leave": "genius"}, "on_leave"),
]


@pytest.mark.parametrize(("body", "field"), WRONG, ids=[f"{field}-{at}" for at, (_, field) in enumerate(WRONG)])
def test_a_wrong_field_is_named(two_seats: dict[str, Any], alice: Caller, body: dict[str, Any], field: str) -> None:
    check_refused(lambda: alice.patch(f"tables/{two_seats['id']}", body), 400, "invalid", field)


def test_all_wrong_fields_are_named_together(two_seats: dict[str, Any], alice: Caller) -> None:
    body = {"options": {"rounds": 0, "rondes": 2}, "preset": "house", "seats": 13, "colour": "red"}
    fields = {"options.rounds", "options.rondes", "preset", "seats", "colour"}
    check_refused(lambda: alice.patch(f"tables/{two_seats['id']}", body), 400, "invalid", *fields)


def test_more_seats_than_the_rules_allow_are_refused(two_seats: dict[str, Any], alice: Caller) -> None:
    check_refused(lambda: alice.patch(f"tables/{two_seats['id']}", {"seats": 9}), 400, "invalid")


@pytest.mark.parametrize("body", [[], "x", 4])
def test_a_body_that_is_not_an_object_is_refused(two_seats: dict[str, Any], alice: Caller, body: Any) -> None:
    check_refused(lambda: alice.patch(f"tables/{two_seats['id']}", body), 400, "invalid", "")


def test_rounds_that_were_not_set_follow_the_first_engine(alice: Caller) -> None:
    table = open_table(alice, seats=2)
    for first in (3, 6, 2):
        now = alice.patch(f"tables/{table['id']}", {"options": {"engine_first": first}}).body["options"]
        assert (now["engine_first"], now["rounds"]) == (first, first + 1)
