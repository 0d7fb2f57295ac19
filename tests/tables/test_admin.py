"""The admin of tables: every model is there, the log is read-only, hidden tiles stay hidden, lists take few queries."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib import admin
from django.db import connection
from django.db.models import Model
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from players.models import Player
from rest.models import AnsweredRequest
from rules.mexican_train.notation import move_sentence, parse_move
from tables import records
from tables.models import Hand, Move, Round, Table
from tests.cases import slow_after
from tests.cast import Caller, guest, open_table, play, start
from tests.finished_matches.files import stored
from tests.matches import arrange, begin, send
from tests.rules.records import record_of_match
from webhooks import addressbook

PUBLIC = "https://1.1.1.1/"
OWN = ("players", "rest", "runtime", "tables", "webhooks", "knox")
MODELS = sorted((m for m in admin.site._registry if m._meta.app_label in OWN), key=lambda model: model.__name__)


@pytest.fixture
def keeper(db: None) -> Client:
    """Somebody who keeps a club."""
    client = Client()
    client.force_login(Player.objects.create_superuser("keeper", "a long password"))
    return client


def address(model: type[Model], page: str, *args: Any) -> str:
    return reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_{page}", args=args)


def bot_table(host: Caller, **fields: Any) -> dict[str, Any]:
    bots = [{"seat": 1, "level": "easy"}, {"seat": 2, "level": "random"}]
    table = open_table(host, seats=3, bots=bots, **fields)
    start(table, host)
    return table


def play_some(table: dict[str, Any], host: Caller) -> None:
    assert play(table, host).status == 201


def every_model() -> Iterator[type[Model]]:
    yield from MODELS


def test_every_model_is_in_the_admin() -> None:
    assert {model.__name__ for model in every_model()} == {
        "AnsweredRequest",
        "AuthToken",
        "Delivery",
        "Hand",
        "Move",
        "Player",
        "Round",
        "Seat",
        "Table",
        "Webhook",
    }


@pytest.mark.parametrize("model", MODELS)
def test_lists_filter_and_search(model: type[Model], keeper: Client, alice: Caller) -> None:
    play_some(bot_table(alice), alice)
    listed = admin.site._registry[model]
    assert listed.list_filter
    assert listed.search_fields
    assert keeper.get(address(model, "changelist")).status_code == 200
    assert keeper.get(address(model, "changelist"), {"q": "Alice"}).status_code == 200


@pytest.mark.parametrize("model", slow_after(5, MODELS))
def test_the_queries_of_a_list_do_not_grow_with_its_rows(model: type[Model], keeper: Client, alice: Caller) -> None:
    answered = open_table(alice)
    alice.post(f"tables/{answered['id']}/cancel")
    add_rows(alice, "first")
    few = queries(keeper, model)
    for name in ("second", "third"):
        add_rows(guest(name), name)
    assert queries(keeper, model) == few


def add_rows(host: Caller, name: str) -> None:
    assert host.player is not None
    addressbook.register(host.player, PUBLIC, ["your_turn"])
    play_some(bot_table(host, name=name), host)
    host.post("tables", {"name": name}, Idempotency_Key=name)
    hand = Hand.objects.order_by("-pk")[0]
    Round.objects.filter(pk=hand.round_id).update(ended_at=hand.round.dealt_at, result={"ended": "out"})


def queries(keeper: Client, model: type[Model]) -> int:
    with CaptureQueriesContext(connection) as captured:
        assert keeper.get(address(model, "changelist")).status_code == 200
    return len(captured)


def test_a_tables_page_describes_position_and_log_in_words(keeper: Client, alice: Caller) -> None:
    table = bot_table(alice, name="Kitchen")
    move = play(table, alice).body["move"]
    page = keeper.get(address(Table, "change", table["id"])).content.decode()
    assert "Round 1 of 13, engine 12-12." in page
    assert re.search(r"Seat \d is to move", page)
    assert f"Round 1, seat 0 (Alice) {move_sentence(parse_move(move))}" in page


def test_a_tables_page_shows_no_hand(keeper: Client, alice: Caller) -> None:
    table = bot_table(alice)
    page = keeper.get(address(Table, "change", table["id"])).content.decode()
    held = {tile for hand in Hand.objects.filter(round__table=table["id"]) for tile in hand.tiles.split()}
    words = re.sub(r"<svg.*?</svg>|<style.*?</style>", "", page, flags=re.DOTALL)
    assert "engine 12-12" in words
    assert not held & set(re.findall(r"(?<![\w-])\d{1,2}-\d{1,2}(?![\w-])", words))


def test_a_running_round_keeps_its_secret(keeper: Client, alice: Caller) -> None:
    table = bot_table(alice)
    running = Round.objects.get(table=table["id"], number=1)
    page = keeper.get(address(Round, "change", running.pk)).content.decode()
    assert running.commitment in page
    assert bytes(running.secret).hex() not in page
    assert running.order[:30] not in page
    assert not keeper.get(address(Hand, "changelist")).context["cl"].result_count


def test_the_page_of_a_finished_round_shows_its_secret(keeper: Client, alice: Caller) -> None:
    add_rows(alice, "Kitchen")
    over = Round.objects.get(ended_at__isnull=False)
    page = keeper.get(address(Round, "change", over.pk)).content.decode()
    assert bytes(over.secret).hex() in page
    assert keeper.get(address(Hand, "changelist")).context["cl"].result_count == 3


@pytest.mark.parametrize("model", [Move, Round, Hand])
def test_the_log_cannot_be_changed(model: type[Model], keeper: Client, alice: Caller) -> None:
    add_rows(alice, "Kitchen")
    row = model._default_manager.first()
    assert row is not None
    assert keeper.get(address(model, "add")).status_code == 403
    assert keeper.post(address(model, "change", row.pk), {"text": "pass", "points": 0}).status_code == 403
    assert keeper.post(address(model, "delete", row.pk), {"post": "yes"}).status_code == 403


def test_a_table_can_be_renamed_and_hidden_while_it_is_played(keeper: Client, alice: Caller) -> None:
    table = bot_table(alice)
    inlines = {"seats-TOTAL_FORMS": 0, "seats-INITIAL_FORMS": 0}
    fields = {"name": "Renamed", "visibility": "public", "spectators": "none", "status": "finished", "turn": 2}
    assert keeper.post(address(Table, "change", table["id"]), fields | inlines).status_code == 302
    now = alice.get(f"tables/{table['id']}").body
    assert (now["name"], now["visibility"], now["spectators"], now["status"]) == (
        "Renamed",
        "public",
        "none",
        "playing",
    )
    assert now["version"] > table["version"]


def test_a_form_does_not_undo_later_changes_by_the_host(keeper: Client, alice: Caller) -> None:
    table = open_table(alice, name="Kitchen")
    page = address(Table, "change", table["id"])
    form = keeper.get(page).context["adminform"].form
    opened = {name: bound.initial for bound in form for name in (bound.html_name, bound.html_initial_name)}
    alice.patch(f"tables/{table['id']}", {"name": "Garden"})
    inlines = {"seats-TOTAL_FORMS": 0, "seats-INITIAL_FORMS": 0}
    assert keeper.post(page, opened | inlines | {"spectators": "none"}).status_code == 302
    now = alice.get(f"tables/{table['id']}").body
    assert (now["name"], now["spectators"]) == ("Garden", "none")


def test_tables_are_cancelled_by_an_action(keeper: Client, alice: Caller) -> None:
    running, over = bot_table(alice), open_table(alice)
    alice.post(f"tables/{over['id']}/cancel")
    chosen = {"action": "cancel_tables", "confirmed": "yes", "_selected_action": [running["id"], over["id"]]}
    assert keeper.post(address(Table, "changelist"), chosen).status_code == 302
    reasons = [alice.get(f"tables/{table['id']}").body["ended_reason"] for table in (running, over)]
    assert reasons == ["cancelled_by_admin", "cancelled_by_host"]


def test_a_table_can_be_neither_added_nor_deleted(keeper: Client, alice: Caller) -> None:
    table = bot_table(alice)
    assert keeper.get(address(Table, "add")).status_code == 403
    assert keeper.post(address(Table, "delete", table["id"]), {"post": "yes"}).status_code == 403


def test_a_stored_answer_cannot_be_read(keeper: Client, alice: Caller) -> None:
    alice.post("tables", {"name": "Secret garden"}, Idempotency_Key="my-key")
    kept = AnsweredRequest.objects.get()
    page = keeper.get(address(AnsweredRequest, "change", kept.pk)).content.decode()
    assert kept.digest in page
    assert "Secret garden" not in page
    assert "my-key" not in page


def test_an_account_is_made_and_can_log_in(keeper: Client, spectator: Caller) -> None:
    password = "dominoes at noon"
    fields = {"username": "bob", "name": "Bob", "password1": password, "password2": password, "usable_password": "true"}
    assert keeper.post(address(Player, "add"), fields).status_code == 302
    assert spectator.post("players/login", {"username": "bob", "password": password}).status == 200


def test_a_player_who_is_not_staff_cannot_enter(alice: Caller) -> None:
    client = Client()
    assert alice.player is not None
    client.force_login(alice.player)
    assert client.get(address(Table, "changelist")).status_code == 302


def test_the_log_says_that_it_is_cut_only_if_it_is(
    keeper: Client, alice: Caller, bob: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = begin(alice, bob)
    arrange(table, "6-5 6-4 3-1", "5-5 5-2 4-3")
    page = address(Table, "change", table["id"])
    all_moves = f"?table__id__exact={table['id']}"
    monkeypatch.setattr("tables.admin.MOVES_SHOWN", 1)
    said = []
    for number, (caller, move) in enumerate([(alice, "6-5>mexican"), (bob, "5-2>mexican")], start=1):
        assert send(table, caller, move, number).status == 201
        text = keeper.get(page).content.decode()
        assert all_moves in text
        said.append("these are the last 1." in text)
    assert said == [False, True]


def test_seats_without_a_player_have_no_name_in_an_imported_log(keeper: Client) -> None:
    table = records.import_record(record_of_match(stored("classic")))
    text = keeper.get(address(Table, "change", table.pk)).content.decode()
    assert "seat 0 (nobody)" in text
