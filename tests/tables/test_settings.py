"""The settings of a table, each with another value than its default: opened with, changed and told."""

from typing import Any, get_type_hints

from tables.models import SETTINGS, Event
from tables.presenters.tables import TableAnswer
from tests.cast import Caller, open_table
from tests.tables.settings import OTHERS


def shown(table: dict[str, Any]) -> dict[str, Any]:
    return {name: table[name] for name in SETTINGS}


def test_every_setting_is_in_the_answer() -> None:
    assert [name for name in SETTINGS if name not in get_type_hints(TableAnswer)] == []


def test_a_table_is_opened_with_its_settings(alice: Caller) -> None:
    assert shown(open_table(alice, **OTHERS)) == OTHERS
    assert all(value != OTHERS[name] for name, value in shown(open_table(alice)).items())


def test_the_settings_of_an_open_table_are_changed_and_told(alice: Caller) -> None:
    table = open_table(alice)
    assert shown(alice.patch(f"tables/{table['id']}", OTHERS).body) == OTHERS
    event = Event.objects.filter(table=table["id"]).latest("version")
    assert event.data["changed"] == list(SETTINGS)
