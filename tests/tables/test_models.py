"""Rows that the database itself refuses."""

from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction
from django.db.models import Model
from django.utils import timezone

from players.models import Kind, Player
from tables.models import By, Hand, Move, Round, Seat, Table
from tests.cast import Caller, play
from tests.rest.checks import nothing_changes


@pytest.fixture
def move(playing: dict[str, Any], alice: Caller) -> Move:
    play(playing, alice)
    return Move.objects.get()


def check_constraint(name: str, *rows: Model) -> None:
    with nothing_changes(), pytest.raises(IntegrityError, match=name):
        save(*rows)


@transaction.atomic
def save(*rows: Model) -> None:
    for row in rows:
        row.save(force_insert=True)


@pytest.mark.parametrize("statement", ["update tables_move set text = 'pass'", "delete from tables_move"])
def test_a_move_cannot_be_changed_by_sql(move: Move, statement: str) -> None:
    refused = pytest.raises(IntegrityError, match="append-only")
    with nothing_changes(), refused, transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement)


def test_a_move_cannot_be_changed_by_the_model(move: Move) -> None:
    move.text = "pass"
    for rewrite in (move.save, move.delete, lambda: Move.objects.update(text="pass"), Move.objects.all().delete):
        with nothing_changes(), pytest.raises(IntegrityError, match="append-only"), transaction.atomic():
            rewrite()


def test_one_move_of_a_number(move: Move) -> None:
    at = timezone.now()
    round_two = Round.objects.get(number=2)
    again = Move(table=move.table, round=round_two, number=1, seat=1, text="draw", by=By.PERSON, at=at)
    check_constraint("one_move_of_a_number", again)


def test_one_move_of_a_number_in_a_round(move: Move) -> None:
    other = Table.objects.create(preset="classic", options={}, engine_version=1)
    again = Move(table=other, round=move.round, number=1, seat=1, text="draw", by=By.PERSON, at=timezone.now())
    check_constraint("one_move_of_a_number_in_a_round", again)


def test_one_seat_of_a_number(two_seats: dict[str, Any], cleo: Caller) -> None:
    check_constraint("one_seat_of_a_number", Seat(table_id=two_seats["id"], number=1, player=cleo.player))


def test_one_seat_of_a_player(two_seats: dict[str, Any], bob: Caller) -> None:
    check_constraint("one_seat_of_a_player", Seat(table_id=two_seats["id"], number=2, player=bob.player))


def test_one_round_of_a_number(two_seats: dict[str, Any]) -> None:
    check_constraint("one_round_of_a_number", Round(table_id=two_seats["id"], number=1, secret=b"", commitment=""))


def test_one_hand_a_seat_and_round(playing: dict[str, Any]) -> None:
    hand = Hand.objects.all()[0]
    check_constraint("one_hand_a_seat_and_round", Hand(round=hand.round, seat=hand.seat, tiles=""))


def test_one_table_of_an_invite(two_seats: dict[str, Any]) -> None:
    code = two_seats["invite"]["code"]
    check_constraint("invite_code", Table(preset="classic", options={}, engine_version=1, invite_code=code))


def test_one_rematch_of_a_table(two_seats: dict[str, Any]) -> None:
    first = Table.objects.get()
    rematches = [Table(preset="classic", options={}, engine_version=1, previous_table=first) for _ in range(2)]
    check_constraint("one_living_rematch_of_a_table", *rematches)


@pytest.mark.parametrize(("status", "turn"), [("playing", None), ("open", 0), ("finished", 1)])
def test_a_running_match_has_a_seat_to_move(db: None, status: str, turn: int | None) -> None:
    table = Table(preset="classic", options={}, engine_version=1, status=status, turn=turn)
    check_constraint("somebody_is_to_move_while_playing", table)


@pytest.mark.parametrize(("kind", "level"), [(Kind.BOT, ""), (Kind.PERSON, "easy")])
def test_bots_have_a_level(db: None, kind: Kind, level: str) -> None:
    check_constraint("bots_have_a_level", Player(kind=kind, level=level, name="Otto"))


def test_one_bot_of_a_name(db: None) -> None:
    check_constraint("one_bot_of_a_name", *(Player(kind=Kind.BOT, level="easy", name="Otto") for _ in range(2)))


def test_one_account_of_a_username(db: None) -> None:
    check_constraint("username", *(Player(name="Alice", username="alice") for _ in range(2)))
