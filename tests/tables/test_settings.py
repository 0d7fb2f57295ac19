"""Every setting of a table with a value that is not its default: opening, changing and events."""

from typing import Any, get_type_hints

from tables.models import SETTINGS, Event
from tables.presenters.tables import TableAnswer
from tests.cast import Caller, open_table
from tests.tables.settings import OTHERS


def settings_in_answer(table: dict[str, Any]) -> dict[str, Any]:
    return {name: table[name] for name in SETTINGS}


def test_every_setting_is_in_the_answer() -> None:
    assert [name for name in SETTINGS if name not in get_type_hints(TableAnswer)] == []


def test_a_table_is_opened_with_its_settings(alice: Caller) -> None:
    assert settings_in_answer(open_table(alice, **OTHERS)) == OTHERS
    assert all(value != OTHERS[name] for name, value in settings_in_answer(open_table(alice)).items())


def test_a_change_of_the_settings_sends_an_event(alice: Caller) -> None:
    table = open_table(alice)
    assert settings_in_answer(alice.patch(f"tables/{table['id']}", OTHERS).body) == OTHERS
    event = Event.objects.filter(table=table["id"]).latest("version")
    assert event.data["changed"] == list(SETTINGS)
