"""``POST tables``."""

from typing import Any

import pytest

from tables.models import Round, Seat
from tests.cast import Caller, open_table
from tests.rest.checks import check_refused

EVERYTHING = {
    "name": "Friday",
    "preset": "classic",
    "options": {"rounds": 3, "double_blank_points": 50},
    "seats": 3,
    "visibility": "public",
    "bots": [{"seat": 2, "level": "easy"}],
    "turn_seconds": 60,
    "on_timeout": "forfeit",
    "on_leave": "random",
    "spectators": "none",
    "bot_delay_ms": 250,
    "auto_pass": True,
}
FIELDS = {
    *("id", "name", "status", "host", "preset", "options", "engine_version", "seats", "visibility", "invite"),
    *("turn_seconds", "on_timeout", "rounds_played", "winners", "ended_reason", "next_table", "version", "created_at"),
}


def test_it_works(alice: Caller) -> None:
    answer = alice.post("tables", {})
    assert answer.status == 201
    table = answer.body
    assert answer.headers["Location"] == f"/api/v1/tables/{table['id']}"
    assert table.keys() >= FIELDS
    assert (table["status"], table["preset"], table["visibility"]) == ("open", "classic", "private")
    assert alice.player is not None
    player = {"id": str(alice.player.pk), "name": "Alice", "kind": "person"}
    assert table["host"] == player["id"]
    seat = {"seat": 0, "player": player, "away": False, "forfeited": False, "total": 0, "tile_count": 0}
    assert table["seats"][0] == seat
    assert [seat["player"] for seat in table["seats"][1:]] == [None] * 3
    assert (table["turn_seconds"], table["on_timeout"], table["auto_pass"]) == (None, "auto", False)
    assert (table["spectators"], table["bot_delay_ms"]) == ("open", 0)
    assert (table["winners"], table["ended_reason"], table["next_table"]) == (None, None, None)
    assert table["created_at"].endswith("Z")
    assert table["invite"]["url"].endswith(table["invite"]["code"])
    assert alice.get(f"tables/{table['id']}").body == table


def test_every_field_can_be_set(alice: Caller) -> None:
    table = alice.post("tables", EVERYTHING).body
    plain = EVERYTHING.keys() - {"options", "seats", "bots"}
    assert {name: table[name] for name in plain} == {name: EVERYTHING[name] for name in plain}
    assert len(table["seats"]) == 3
    assert (table["options"]["rounds"], table["options"]["double_blank_points"]) == (3, 50)
    assert table["options"]["set_max_pip"] == 12


def test_otto_is_a_bot(alice: Caller) -> None:
    bots = [{"seat": 1, "level": "easy"}, {"seat": 3, "level": "random"}, {"seat": 2, "level": "easy"}]
    seats = open_table(alice, bots=bots)["seats"]
    assert [seat["player"].get("level") for seat in seats] == [None, "easy", "easy", "random"]
    assert [seat["player"]["kind"] for seat in seats] == ["person", "bot", "bot", "bot"]
    assert seats[1]["player"]["name"] == "Otto"
    assert len({seat["player"]["id"] for seat in seats}) == 4


def test_the_host_may_sit_elsewhere(alice: Caller) -> None:
    seats = open_table(alice, host_seat=2)["seats"]
    assert [seat["player"] and seat["player"]["name"] for seat in seats] == [None, None, "Alice", None]


def test_the_host_need_not_play(alice: Caller) -> None:
    table = open_table(alice, host_seat=None)
    assert [seat["player"] for seat in table["seats"]] == [None] * 4
    assert alice.player is not None
    assert table["host"] == str(alice.player.pk)
    assert "invite" in table


@pytest.mark.parametrize("seats", range(2, 9))
def test_classic_is_for_two_to_eight(alice: Caller, seats: int) -> None:
    assert len(open_table(alice, seats=seats)["seats"]) == seats


def test_the_first_deal_has_a_commitment(alice: Caller) -> None:
    table = open_table(alice)
    assert Round.objects.get(table=table["id"]).order == ""
    commitment = alice.get(f"tables/{table['id']}/position").body["next_commitment"]
    assert commitment == Round.objects.get(table=table["id"]).commitment


def test_invite_codes_differ(alice: Caller) -> None:
    codes = {open_table(alice)["invite"]["code"] for _ in range(5)}
    assert len(codes) == 5
    assert all(len(code) >= 10 for code in codes)


def test_a_caller_without_a_token_is_refused(spectator: Caller) -> None:
    answer = check_refused(lambda: spectator.post("tables", {}), 401, "not_authenticated")
    assert answer.headers["WWW-Authenticate"] == "Bearer"


def test_a_bad_token_is_refused(db: None) -> None:
    check_refused(lambda: Caller("nonsense").post("tables", {}), 401, "bad_token")


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"name": "x" * 61}, "name"),
    ({"name": None}, "name"),
    ({"name": ["Friday"]}, "name"),
    ({"name": "a\0b"}, "name"),
    ({"preset": "no such"}, "preset"),
    ({"preset": None}, "preset"),
    ({"preset": ["classic"]}, "preset"),
    ({"options": []}, "options"),
    ({"options": None}, "options"),
    ({"options": "classic"}, "options"),
    ({"options": {"no_such": 1}}, "options.no_such"),
    ({"options": {"rounds": 0}}, "options.rounds"),
    ({"options": {"rounds": 14}}, "options.rounds"),
    ({"options": {"rounds": True}}, "options.rounds"),
    ({"options": {"set_max_pip": 13}}, "options.set_max_pip"),
    ({"options": {"set_max_pip": 12.0}}, "options.set_max_pip"),
    ({"options": {"set_max_pip": None}}, "options.set_max_pip"),
    ({"options": {"engine_first": 13}}, "options.engine_first"),
    ({"options": {"hand_sizes": {"4": 99}}}, "options.hand_sizes"),
    ({"options": {"hand_sizes": {"3": 5}}}, "seats"),
    ({"options": {"hand_sizes": {"4": 0}}}, "options.hand_sizes"),
    ({"options": {"hand_sizes": {"4": "15"}}}, "options.hand_sizes"),
    ({"options": {"hand_sizes": {"four": 15}}}, "options.hand_sizes"),
    ({"options": {"hand_sizes": [15]}}, "options.hand_sizes"),
    ({"options": {"own_train_required_for": "mexican"}}, "options.own_train_required_for"),
    ({"options": {"tie_break": ["shared"]}}, "options.tie_break"),
    ({"seats": 0}, "seats"),
    ({"seats": -1}, "seats"),
    ({"seats": 10**30}, "seats"),
    ({"seats": "many"}, "seats"),
    ({"seats": 2.5}, "seats"),
    ({"seats": None}, "seats"),
    ({"seats": [4]}, "seats"),
    ({"visibility": "secret"}, "visibility"),
    ({"visibility": None}, "visibility"),
    ({"visibility": {}}, "visibility"),
    ({"bots": {"seat": 1, "level": "easy"}}, "bots"),
    ({"bots": None}, "bots"),
    ({"bots": ["easy"]}, "bots.0"),
    ({"bots": [{"seat": 1}]}, "bots.0.level"),
    ({"bots": [{"level": "easy"}]}, "bots.0.seat"),
    ({"bots": [{"seat": 1, "level": "easy"}, {"seat": 2, "level": "genius"}]}, "bots.1.level"),
    ({"bots": [{"seat": -1, "level": "easy"}]}, "bots.0.seat"),
    ({"bots": [{"seat": 4, "level": "easy"}]}, "bots"),
    ({"bots": [{"seat": 0, "level": "easy"}]}, "bots"),
    ({"bots": [{"seat": 1, "level": "easy"}] * 2}, "bots"),
    ({"turn_seconds": 4}, "turn_seconds"),
    ({"turn_seconds": 1_209_601}, "turn_seconds"),
    ({"turn_seconds": "soon"}, "turn_seconds"),
    ({"on_timeout": "resign"}, "on_timeout"),
    ({"on_timeout": None}, "on_timeout"),
    ({"on_leave": "genius"}, "on_leave"),
    ({"spectators": "some"}, "spectators"),
    ({"spectators": True}, "spectators"),
    ({"bot_delay_ms": -1}, "bot_delay_ms"),
    ({"bot_delay_ms": 5001}, "bot_delay_ms"),
    ({"bot_delay_ms": None}, "bot_delay_ms"),
    ({"auto_pass": "perhaps"}, "auto_pass"),
    ({"auto_pass": None}, "auto_pass"),
    ({"auto_pass": [True]}, "auto_pass"),
    ({"host_seat": 4}, "host_seat"),
    ({"host_seat": -1}, "host_seat"),
    ({"host_seat": "window"}, "host_seat"),
]


@pytest.mark.parametrize(("body", "field"), WRONG, ids=[f"{field}-{at}" for at, (_, field) in enumerate(WRONG)])
def test_a_wrong_field_is_named(alice: Caller, body: dict[str, Any], field: str) -> None:
    check_refused(lambda: alice.post("tables", body), 400, "invalid", field)


@pytest.mark.parametrize("seats", [1, 9, 12])
def test_a_number_of_seats_that_the_rules_do_not_allow_is_refused(alice: Caller, seats: int) -> None:
    answer = check_refused(lambda: alice.post("tables", {"seats": seats}), 400, "invalid")
    assert [error["field"] for error in answer.body["errors"]] == ["seats"]


def test_all_wrong_fields_are_named_together(alice: Caller) -> None:
    body = {"seats": 0, "turn_seconds": 1, "visibility": "secret", "bots": [{"seat": 1}]}
    check_refused(lambda: alice.post("tables", body), 400, "invalid", *(body.keys() - {"bots"}), "bots.0.level")


TOGETHER: list[tuple[dict[str, Any], set[str]]] = [
    ({"preset": "house", "turn_seconds": 1, "colour": "red"}, {"preset", "turn_seconds", "colour"}),
    ({"options": {"rounds": 0, "rondes": 2}}, {"options.rounds", "options.rondes"}),
    ({"options": {"preset": 1, "seats": 2}}, {"options.preset", "options.seats"}),
    ({"options": {"rounds": 14}, "turn_seconds": 1, "host_seat": 4}, {"options.rounds", "turn_seconds", "host_seat"}),
    ({"seats": 11, "on_timeout": "resign", "host_seat": 11}, {"seats", "on_timeout", "host_seat"}),
    ({"seats": 40, "host_seat": 9}, {"seats"}),
    ({"preset": "house", "options": {"rounds": 14}}, {"preset"}),
]
"""The last two: whether the one fits cannot be said while the other is wrong."""


@pytest.mark.parametrize(("body", "fields"), TOGETHER, ids=[" ".join(body) for body, _ in TOGETHER])
def test_conflicts_between_fields_are_named_together_with_wrong_fields(
    alice: Caller, body: dict[str, Any], fields: set[str]
) -> None:
    check_refused(lambda: alice.post("tables", body), 400, "invalid", *fields)


@pytest.mark.parametrize("body", [[], "classic", 4])
def test_a_body_that_is_not_an_object_is_refused(alice: Caller, body: Any) -> None:
    check_refused(lambda: alice.post("tables", body), 400, "invalid", "")


def test_without_a_body_the_table_has_all_defaults(alice: Caller) -> None:
    assert len(alice.post("tables").body["seats"]) == 4


def test_the_least_and_the_greatest_values_are_allowed(alice: Caller) -> None:
    for fields in ({"turn_seconds": 5}, {"turn_seconds": 1_209_600}, {"bot_delay_ms": 5000}, {"name": "x" * 60}):
        assert alice.post("tables", fields).status == 201
    assert Seat.objects.count() == 16
