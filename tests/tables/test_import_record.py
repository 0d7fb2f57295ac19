"""``manage.py import_record``: a record is checked and stored as a finished table that can be viewed like any other."""

import io
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import transaction

from players.accounts import BOT_NAMES, bots_of
from players.models import Kind, Player
from rules.mexican_train.bots import BOTS
from rules.records.checking import check_record
from rules.records.json_form import document_of, record_from
from rules.records.record import Record
from rules.records.text_form import record_in, text_of
from rules.shuffling import shuffled
from tables import audit, records
from tables.models import Round, Seat, Table
from tests.cases import slow_after
from tests.cast import Caller
from tests.finished_matches.files import NAMES, stored
from tests.matches import begin, bots, play_match, play_round
from tests.rest.checks import nothing_changes
from tests.rules.records import record_of_match
from tests.rules.test_record_format import BY_HAND, FROM_SERVER

NOT_STATED = "The record has no secrets, so the deals cannot be verified."


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "match.txt"


def imported(file: Path, text: str, **options: Any) -> str:
    """The output of the command."""
    file.write_text(text)
    out = io.StringIO()
    call_command("import_record", str(file), stdout=out, **options)
    return out.getvalue()


def refused(file: Path, text: str, **options: Any) -> str:
    with nothing_changes(), pytest.raises(CommandError) as refusal:
        imported(file, text, **options)
    assert refusal.value.returncode == 1
    return str(refusal.value)


def exported(table: Table, spectator: Caller) -> Record:
    answer = spectator.get(f"tables/{table.pk}/record")
    assert answer.status == 200, answer.text
    return record_from(answer.body)


def check_log(table: Table) -> None:
    rows = audit.read(table.pk)
    assert rows is not None
    assert audit.first_difference(rows) is None


def test_it_works(file: Path, spectator: Caller) -> None:
    said = imported(file, BY_HAND)
    table = Table.objects.get()
    assert said.splitlines() == [
        f"The record is correct: rounds 1, moves 18, totals 8 0; won by Bob. {NOT_STATED}",
        f"Stored as table {table.pk}.",
    ]
    shown = spectator.get(f"tables/{table.pk}").body
    assert (shown["status"], shown["winners"], shown["name"]) == ("finished", [1], "Sunday at Anna's")
    assert [(seat["player"]["name"], seat["total"]) for seat in shown["seats"]] == [("Anna", 8), ("Bob", 0)]


def test_an_exported_table_is_imported_unchanged(file: Path, alice: Caller, bob: Caller, spectator: Caller) -> None:
    with transaction.atomic():
        played = begin(alice, bob, bots=bots(2), options={"set_max_pip": 6, "hand_sizes": {"3": 3}, "rounds": 2})
        play_match(played)
        text = spectator.get(f"tables/{played['id']}/record", Accept="text/plain").text
        transaction.set_rollback(True)  # from here on it was played elsewhere
    assert not Table.objects.exists()
    imported(file, text)
    table = Table.objects.get()
    assert str(table.pk) == played["id"]
    assert spectator.get(f"tables/{table.pk}/record", Accept="text/plain").text == text
    check_log(table)


@pytest.mark.parametrize("name", slow_after(1, NAMES))
def test_every_recorded_match_can_be_imported(name: str, spectator: Caller) -> None:
    record = record_of_match(stored(name))
    table = records.import_record(record)
    assert exported(table, spectator) == record
    check_log(table)


@pytest.mark.parametrize("name", slow_after(1, NAMES))
def test_every_recorded_match_can_be_imported_without_secrets(name: str, spectator: Caller) -> None:
    fair = record_of_match(stored(name))
    rounds = tuple(replace(each, secret=None, commitment=None, client_seeds=()) for each in fair.rounds)
    record = replace(fair, rounds=rounds, headers=(("b", "1"), ("Annotator", "x"), ("a", "2")))
    table = records.import_record(record)
    assert exported(table, spectator) == record
    check_log(table)


def test_an_imported_table_can_be_viewed_like_any_other(file: Path, spectator: Caller) -> None:
    imported(file, FROM_SERVER)
    address = f"tables/{Table.objects.get().pk}"
    moves = spectator.get(f"{address}/moves").body
    assert [(move["number"], move["seat"], move["by"]) for move in moves[:3]] == [
        (1, 1, "bot"),
        (2, 2, "person"),
        (3, 0, "timeout"),
    ]
    (result,) = spectator.get(f"{address}/rounds").body
    assert (result["ended"], result["points"], result["totals"]) == ("out", [13, 0, 8], [13, 0, 8])
    last = spectator.get(f"{address}/positions/{moves[-1]['number']}").body
    assert (last["hands"][1], last["turn"]) == ([], None)
    assert spectator.get(f"{address}/position").body["status"] == "finished"


def test_a_deal_with_its_secret_can_be_verified(file: Path, spectator: Caller) -> None:
    imported(file, FROM_SERVER)
    shown = spectator.get(f"tables/{Table.objects.get().pk}/rounds/1/deal").body
    order = shuffled(bytes.fromhex(shown["secret"]), shown["table"], 1, shown["client_seeds"], 6)
    assert shown["order"] == [f"{tile.high}-{tile.low}" for tile in order]
    assert shown["dealt_here"] is False


def test_a_deal_without_a_secret_has_null_as_its_secret(file: Path, spectator: Caller) -> None:
    imported(file, BY_HAND)
    shown = spectator.get(f"tables/{Table.objects.get().pk}/rounds/1/deal").body
    assert (shown["secret"], shown["commitment"], shown["client_seeds"]) == (None, None, [])
    assert (shown["dealt_here"], shown["hands"][0]) == (False, ["3-0", "4-4", "5-1", "6-5"])


def test_a_table_of_this_server_has_dealt_here(alice: Caller, bob: Caller) -> None:
    table = begin(alice, bob)
    play_round(table)
    assert alice.get(f"tables/{table['id']}/rounds/1/deal").body["dealt_here"] is True


@pytest.mark.parametrize("text", [BY_HAND, FROM_SERVER, json.dumps(document_of(record_in(FROM_SERVER)))])
def test_nothing_is_imported_twice(file: Path, db: None, text: str) -> None:
    imported(file, text)
    assert refused(file, text) == f"Table {Table.objects.get().pk} is here already."


def test_a_record_of_an_existing_table_is_refused(file: Path, alice: Caller, bob: Caller) -> None:
    table = begin(alice, bob)
    play_match(table)
    text = alice.get(f"tables/{table['id']}/record", Accept="text/plain").text
    assert "is here already" in refused(file, text)


def test_a_check_stores_nothing(file: Path, db: None) -> None:
    with nothing_changes():
        said = imported(file, FROM_SERVER, check=True)
    correct = "The record is correct: rounds 1, moves 11, totals 13 0 8; won by Otto."
    assert said == f"{correct} Every deal follows from its secret.\n"


def test_a_record_can_be_read_from_standard_input(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(BY_HAND.encode())))
    out = io.StringIO()
    call_command("import_record", "-", check=True, stdout=out)
    assert out.getvalue().startswith("The record is correct")


def test_a_fault_is_reported_with_its_place(file: Path, db: None) -> None:
    wrong = BY_HAND.replace("points 8 0", "points 9 0")
    assert refused(file, wrong) == "round 1, line 32, column 1: The points should be 8 0, not 9 0."
    assert refused(file, wrong, check=True).startswith("round 1, line 32")


def test_an_unreadable_file_is_an_error(file: Path, db: None) -> None:
    with pytest.raises(CommandError, match=r"match.txt cannot be read: No such file"):
        call_command("import_record", str(file))
    file.write_bytes(b"\xff")
    with pytest.raises(CommandError, match=r"match.txt is not UTF-8"):
        call_command("import_record", str(file))


def test_an_unfinished_match_is_checked_but_not_stored(file: Path, db: None) -> None:
    text = BY_HAND.replace("option rounds 1", "option rounds 3").replace("winners 1", "unfinished")
    assert "unfinished" in imported(file, text, check=True)
    assert refused(file, text) == "Only a whole match can be stored, and this one is unfinished."


def test_a_record_with_some_secrets_is_partly_verified(file: Path, db: None) -> None:
    record = record_of_match(stored("tied"))
    bare = replace(record.rounds[0], secret=None, commitment=None, client_seeds=())
    said = imported(file, text_of(replace(record, rounds=(bare, *record.rounds[1:]))))
    assert "Some deals follow from their secrets" in said
    check_log(Table.objects.get())


# Who sat there


def test_an_imported_person_cannot_log_in(file: Path, db: None) -> None:
    imported(file, BY_HAND)
    for player in Player.objects.filter(kind=Kind.PERSON):
        assert (player.username, player.is_active, player.has_usable_password()) == (None, False, False)


def test_a_seat_without_a_name_is_empty(file: Path, spectator: Caller) -> None:
    imported(file, BY_HAND.replace('seat 1 "Bob"', "seat 1"))
    assert list(Seat.objects.order_by("number").values_list("player__name", flat=True)) == ["Anna", None]
    assert check_record(exported(Table.objects.get(), spectator)).record.seats[1].name == ""


def test_a_bot_of_a_known_level_and_name_is_the_servers_bot(file: Path, db: None) -> None:
    otto = next(bot for bot in bots_of("easy") if bot.name == "Otto")
    imported(file, FROM_SERVER)
    assert Seat.objects.get(number=1).player == otto


def test_imported_bots_are_not_seated_at_new_tables(file: Path, db: None) -> None:
    imported(file, FROM_SERVER.replace('"Otto" bot easy', '"Deep Train" bot easy'))
    assert Player.objects.get(name="Deep Train").level == "easy"
    assert [bot.name for bot in bots_of("easy")] == list(BOT_NAMES)


def test_an_unknown_level_is_imported(file: Path, spectator: Caller) -> None:
    assert "grandmaster" not in BOTS
    imported(file, FROM_SERVER.replace("bot easy", "bot grandmaster"))
    assert exported(Table.objects.get(), spectator).seats[1].level == "grandmaster"


def test_two_seats_with_the_same_bot_are_refused(file: Path, db: None) -> None:
    text = FROM_SERVER.replace('seat 2 "Bob"', 'seat 2 "Otto" bot easy').replace("(timeout)", "")
    assert "Two seats have the same bot" in refused(file, text)


# check_logs and imported tables


@pytest.fixture
def table(file: Path, db: None) -> Table:
    imported(file, BY_HAND)
    return Table.objects.get()


def differs(table: Table) -> str:
    rows = audit.read(table.pk)
    assert rows is not None
    return audit.first_difference(rows) or ""


def test_only_an_imported_round_may_be_without_a_secret(table: Table) -> None:
    Table.objects.update(imported_at=None)
    assert "it has no secret, though it was dealt here" in differs(table)


def test_check_logs_finds_a_commitment_without_a_secret(table: Table) -> None:
    Round.objects.update(commitment="0" * 64)
    assert 'the commitment is "000' in differs(table)


def test_check_logs_finds_an_imported_order_that_is_not_the_whole_set(table: Table) -> None:
    Round.objects.update(order=Round.objects.get().order.replace("6-5", "0-0"))
    assert "the set that was dealt is" in differs(table)


def test_check_logs_finds_seeds_without_a_secret(table: Table) -> None:
    Round.objects.update(client_seeds=["", ""])
    assert "the number of client seeds is 2, expected 0" in differs(table)


def test_check_logs_finds_an_impossible_first_seat(db: None) -> None:
    fair = record_of_match(stored("lowest_total"))
    rounds = tuple(replace(each, secret=None, commitment=None, client_seeds=()) for each in fair.rounds)
    table = records.import_record(replace(fair, rounds=rounds))
    facts = Round.objects.get(number=1).facts | {"first_seat": 4}
    Round.objects.filter(number=1).update(facts=facts)
    assert "the first seat is 4, which is none of 4" in differs(table)
