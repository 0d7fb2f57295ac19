"""Actions of the admin ask for confirmation, name their consequences, and are written to the history."""

import re
from typing import Any

import pytest
from django.contrib import admin
from django.contrib.admin.models import LogEntry
from django.test import Client
from django.urls import reverse

from players.models import Player
from rest.admin_actions import ConfirmedActions
from tables.models import Table
from tests.cast import Caller, join, open_table, start
from webhooks import addressbook
from webhooks.models import Disabled

PLAYERS, TABLES = "admin:players_player_changelist", "admin:tables_table_changelist"


@pytest.fixture
def keeper(db: None) -> Client:
    client = Client()
    client.force_login(Player.objects.create_superuser("keeper", "a long password"))
    return client


def choose(client: Client, page: str, action: str, *rows: Any, **more: str) -> str:
    """What the admin answers to an action on these rows, followed to the list."""
    chosen = {"action": action, "_selected_action": [str(row) for row in rows], **more}
    answer = client.post(reverse(page), chosen, follow=True)
    assert answer.status_code == 200
    return answer.content.decode()


def history() -> list[tuple[str | None, str]]:
    return [(entry.object_id, entry.change_message) for entry in LogEntry.objects.order_by("pk")]


def test_every_action_asks_for_confirmation() -> None:
    ours = [each for each in admin.site._registry.values() if each.actions]
    assert ours
    assert [each for each in ours if not isinstance(each, ConfirmedActions)] == []


def test_nothing_happens_before_it_is_confirmed(keeper: Client, alice: Caller) -> None:
    table = open_table(alice)
    text = choose(keeper, TABLES, "cancel_tables", table["id"])
    assert "Open tables: 1." in text
    assert "Persons who sit there: 1." in text
    assert (Table.objects.get().status, history()) == ("open", [])


def test_only_players_at_the_selected_tables_are_counted(keeper: Client, alice: Caller, bob: Caller) -> None:
    open_table(alice)
    chosen = open_table(alice, bots=[{"seat": 1, "level": "easy"}])
    join(chosen, bob)
    assert "Persons who sit there: 2." in choose(keeper, TABLES, "cancel_tables", chosen["id"])


def test_the_form_of_the_confirmation_page_confirms(keeper: Client, alice: Caller) -> None:
    tables = [open_table(alice, name=name)["id"] for name in ("Kitchen", "Garden")]
    text = choose(keeper, TABLES, "cancel_tables", *tables)
    for each in ("<title>Are you sure?", "Log out", "These tables will end without a winner.", "2 selected"):
        assert each in text
    assert all(f"({table})</li>" in text for table in tables)
    assert f'<a href="{reverse(TABLES)}" class="button cancel-link">' in text
    form: dict[str, list[str]] = {}
    for name, value in re.findall(r'<input type="hidden" name="(\w*)" value="([^"]*)">', text):
        form.setdefault(name, []).append(value)
    assert keeper.post(reverse(TABLES), form).status_code == 302
    assert set(Table.objects.values_list("status", flat=True)) == {"cancelled"}


def test_a_confirmed_action_is_in_the_history(keeper: Client, alice: Caller) -> None:
    running, over = open_table(alice), open_table(alice)
    alice.post(f"tables/{over['id']}/cancel")
    text = choose(keeper, TABLES, "cancel_tables", running["id"], over["id"], confirmed="yes")
    assert "Cancelled by an admin: 1 of 1." in text
    assert history() == [(running["id"], "Cancelled by an admin.")]
    assert "Cancelled by an admin" in keeper.get(reverse("admin:tables_table_history", args=[running["id"]])).text


def test_an_action_that_applies_to_no_selected_row_asks_nothing(keeper: Client, alice: Caller) -> None:
    over = open_table(alice)
    alice.post(f"tables/{over['id']}/cancel")
    for confirmed in ({}, {"confirmed": "yes"}):
        text = choose(keeper, TABLES, "cancel_tables", over["id"], **confirmed)
        assert "This action is for none of the selected rows." in text
        assert "Are you sure?" not in text
    assert history() == []


def test_making_a_player_inactive_names_the_consequences_for_tables(
    keeper: Client, alice: Caller, bob: Caller, cleo: Caller
) -> None:
    assert alice.player is not None
    open_table(alice)
    open_table(alice, bots=[{"seat": 1, "level": "easy"}])
    passed_on, playing = open_table(alice), open_table(alice, seats=2)
    join(passed_on, bob)
    join(playing, cleo)
    start(playing, alice)
    text = choose(keeper, PLAYERS, "make_inactive", alice.player.pk)
    assert "Open tables that are cancelled, because nobody else sits there: 2." in text
    assert "Open tables that get another host: 1." in text
    assert "Seats at open tables that become free: 3." in text
    assert "Seats in running matches that a bot takes over: 1." in text
    assert Player.objects.get(pk=alice.player.pk).is_active


def test_the_numbers_in_the_consequences_are_correct(
    keeper: Client, alice: Caller, bob: Caller, django_capture_on_commit_callbacks: Any
) -> None:
    assert alice.player is not None
    cancelled, passed_on = open_table(alice), open_table(alice)
    join(passed_on, bob)
    with django_capture_on_commit_callbacks(execute=True):
        choose(keeper, PLAYERS, "make_inactive", alice.player.pk, confirmed="yes")
    statuses = {str(table.pk): table.status for table in Table.objects.all()}
    assert statuses == {cancelled["id"]: "cancelled", passed_on["id"]: "open"}
    assert history() == [(str(alice.player.pk), "Made inactive.")]


def test_the_form_names_the_consequences_too(keeper: Client, alice: Caller) -> None:
    assert alice.player is not None
    page = keeper.get(reverse("admin:players_player_change", args=[alice.player.pk])).content.decode()
    assert "open tables that they host are cancelled" in page


def test_a_healthy_webhook_has_no_reason_for_being_disabled(keeper: Client, alice: Caller) -> None:
    assert alice.player is not None
    webhook = addressbook.register(alice.player, "https://1.1.1.1/", ["your_turn"])
    pages = [
        keeper.get(reverse("admin:webhooks_webhook_changelist")).content.decode(),
        keeper.get(reverse("admin:webhooks_webhook_change", args=[webhook.pk])).content.decode(),
    ]
    for page in pages:
        assert "field-why_disabled" in page
    assert '<td class="field-why_disabled">no</td>' in pages[0]
    assert Disabled.NOT.label not in pages[1]
