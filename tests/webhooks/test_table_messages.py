"""The messages that a match sends: one for each turn, one for the end, and never a tile."""

import re
from collections import Counter
from typing import Any
from uuid import UUID

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from tables import play, schedule
from tables.lobby import leaving
from tables.models import Move, Table
from tests.cast import Caller, open_table, position, start
from tests.cast import play as play_move
from tests.matches import SMALL, arrange, begin, bots, play_match, snapshot, step
from tests.receiver import Receiver
from webhooks import tasks
from webhooks.models import Delivery, Webhook

NAMED = re.compile(r"(?<![\w-])\d{1,2}-\d{1,2}(?![\w-])")


def deliver_all() -> None:
    for webhook in Webhook.objects.all():
        while tasks.deliver(str(webhook.id)):
            pass


def turns() -> list[int]:
    found = Delivery.objects.filter(event="your_turn").order_by("number").values_list("number", flat=True)
    return [number for number in found if number is not None]


def test_the_message_of_a_turn_contains_public_facts_only(
    alice: Caller, bob: Caller, webhook: dict[str, Any], receiver: Receiver
) -> None:
    table = begin(alice, bob, name="Kitchen", turn_seconds=60)
    deliver_all()
    (told,) = receiver.told
    said = told.verified(webhook["secret"])
    turn = position(table, alice)["turn"]
    assert said["type"] == "your_turn"
    deadline = said["data"].pop("deadline")
    assert deadline[:-4] == turn["deadline"][: len(deadline) - 4]
    assert said["data"] == {"table": table["id"], "name": "Kitchen", "round": 1, "number": 1, "seat": turn["seat"]}


def test_without_a_clock_there_is_no_deadline(
    alice: Caller, bob: Caller, webhook: dict[str, Any], receiver: Receiver
) -> None:
    begin(alice, bob)
    deliver_all()
    assert receiver.told[0].message["data"]["deadline"] is None


def test_a_turn_of_several_moves_sends_one_message(alice: Caller, bob: Caller, webhook: dict[str, Any]) -> None:
    table = begin(alice, bob)
    arrange(table, "5-4 5-3 5-2", "4-4 4-3 3-3", boneyard="3-2 2-2")
    assert play_move(table, alice, "draw").status == 201
    assert turns() == [1]
    assert play_move(table, alice, "pass").status == 201
    assert position(table, bob)["turn"]["seat"] == 1
    assert turns() == [1]
    play_move(table, bob, "draw")
    play_move(table, bob)
    begins = snapshot(table).next_number
    assert position(table, alice)["turn"]["seat"] == 0
    assert turns() == [1, begins]


def turn_begins(table: dict[str, Any]) -> list[int]:
    """Where in the log the turns of seat 0 began: its first move after another seat's, or in another round."""
    found, before = [], None
    for move in Move.objects.filter(table=table["id"]).order_by("number"):
        if move.seat == 0 and before != (move.round_id, 0):
            found.append(move.number)
        before = (move.round_id, move.seat)
    return found


def test_a_match_sends_one_message_a_turn_and_one_at_the_end(
    alice: Caller, bob: Caller, cleo: Caller, webhook: dict[str, Any], receiver: Receiver
) -> None:
    table = begin(alice, bob, cleo, bots=bots(3), options=SMALL | {"hand_sizes": {"4": 3}})
    while snapshot(table).is_playing:
        deliver_all()
        step(table)
    deliver_all()
    told = [each.verified(webhook["secret"]) for each in receiver.told]
    assert [each["data"]["number"] for each in told if each["type"] == "your_turn"] == turn_begins(table)
    assert [each["type"] for each in told].count("table_finished") == 1
    assert told[-1]["type"] == "table_finished"
    assert len({each.id for each in receiver.told}) == len(told)
    assert set(Delivery.objects.values_list("outcome", flat=True)) == {"delivered"}
    for each in receiver.told:
        assert not NAMED.findall(each.body.decode())


def test_the_message_of_the_end_names_the_winners(
    alice: Caller, bob: Caller, webhook: dict[str, Any], receiver: Receiver
) -> None:
    table = begin(alice, bob, name="Kitchen")
    play_match(table)
    deliver_all()
    now = alice.get(f"tables/{table['id']}").body
    assert receiver.told[-1].message["data"] == {
        "table": table["id"],
        "name": "Kitchen",
        "status": "finished",
        "ended_reason": "played",
        "winners": now["winners"],
        "totals": [seat["total"] for seat in now["seats"]],
        "forfeited": [False, False],
        "seat": 0,
    }


@pytest.mark.parametrize("stage", ["two_seats", "playing"])
def test_a_cancelled_table_sends_the_message_of_the_end(
    stage: str, alice: Caller, webhook: dict[str, Any], receiver: Receiver, request: pytest.FixtureRequest
) -> None:
    table = request.getfixturevalue(stage)
    for _ in range(2):
        alice.post(f"tables/{table['id']}/cancel")
    deliver_all()
    ends = [told.message["data"] for told in receiver.told if told.message["type"] == "table_finished"]
    assert [(end["status"], end["ended_reason"], end["winners"]) for end in ends] == [
        ("cancelled", "cancelled_by_host", None)
    ]


def test_a_webhook_gets_only_the_events_it_subscribes_to(alice: Caller, bob: Caller, webhook: dict[str, Any]) -> None:
    path = f"players/me/webhooks/{webhook['id']}"
    for events in (["your_turn"], ["table_finished"]):
        alice.patch(path, {"events": events})
        play_match(begin(alice, bob))
        assert set(Delivery.objects.values_list("event", flat=True)) == set(events)
        Delivery.objects.all().delete()


def test_every_webhook_of_the_player_and_no_other_gets_the_message(
    alice: Caller, bob: Caller, webhook: dict[str, Any]
) -> None:
    body = {"url": f"{webhook['url']}2", "events": ["your_turn"]}
    mine, bobs = alice.post("players/me/webhooks", body).body, bob.post("players/me/webhooks", body).body
    table = begin(alice, bob)
    assert {str(each.webhook_id) for each in Delivery.objects.all()} == {webhook["id"], mine["id"]}
    while snapshot(table).turn != 1:
        step(table)
    assert str(Delivery.objects.latest("created_at").webhook_id) == bobs["id"]


def test_a_turn_that_a_bot_plays_sends_no_message(alice: Caller, bob: Caller, webhook: dict[str, Any]) -> None:
    table = begin(alice, bob)
    alice.delete(f"tables/{table['id']}/seats/0")
    Delivery.objects.all().delete()
    play_match(table)
    assert [each.event for each in Delivery.objects.all()] == ["table_finished"]


def test_the_next_turn_after_coming_back_sends_a_message(alice: Caller, bob: Caller, webhook: dict[str, Any]) -> None:
    table = begin(alice, bob)
    alice.delete(f"tables/{table['id']}/seats/0")
    while snapshot(table).turn == 0:
        step(table)
    alice.post(f"tables/{table['id']}/seats")
    before = turns()
    while snapshot(table).turn == 1:
        step(table)
    assert turns() == [*before, snapshot(table).next_number]


@pytest.mark.parametrize("on_timeout", ["auto", "bot", "forfeit"])
def test_a_turn_after_a_timeout_sends_a_message(
    alice: Caller, bob: Caller, webhook: dict[str, Any], on_timeout: str
) -> None:
    table = begin(alice, bob, turn_seconds=5, on_timeout=on_timeout)
    while snapshot(table).turn == 0:
        step(table)
    before = turns()
    Table.objects.update(deadline=timezone.now() - 2 * schedule.GRACE)
    assert play.time_out(UUID(table["id"]), snapshot(table).next_number, timezone.now())
    while (now := snapshot(table)).turn == 1:
        step(table)
    assert turns() == [*before, now.next_number]


def test_the_message_of_a_turn_that_is_over_is_dropped(
    alice: Caller, bob: Caller, webhook: dict[str, Any], receiver: Receiver
) -> None:
    table = begin(alice, bob)
    while snapshot(table).turn == 0:
        step(table)
    deliver_all()
    assert receiver.told == []
    (passed,) = Delivery.objects.all()
    assert (passed.outcome, passed.attempts, passed.due_at) == ("obsolete", 0, None)


def test_of_two_waiting_messages_only_the_current_turns_is_sent(
    alice: Caller, bob: Caller, webhook: dict[str, Any], receiver: Receiver
) -> None:
    table = begin(alice, bob)
    while len(turns()) < 2:
        step(table)
    deliver_all()
    assert [told.message["data"]["number"] for told in receiver.told] == [turns()[1]]
    assert Counter(Delivery.objects.values_list("outcome", flat=True)) == {"obsolete": 1, "delivered": 1}


@pytest.mark.parametrize("what", ["cancel", "leave"])
def test_leaving_or_cancelling_during_a_turn_sends_no_message_about_it(
    alice: Caller, bob: Caller, webhook: dict[str, Any], receiver: Receiver, what: str
) -> None:
    table = begin(alice, bob)
    if what == "cancel":
        bob.post(f"tables/{table['id']}/cancel")
        alice.post(f"tables/{table['id']}/cancel")
    else:
        alice.delete(f"tables/{table['id']}/seats/0")
    deliver_all()
    assert "your_turn" not in [told.message["type"] for told in receiver.told]


def test_a_first_turn_of_auto_pass_sends_no_message(
    alice: Caller, bob: Caller, webhook: dict[str, Any], receiver: Receiver
) -> None:
    """With ``auto_pass``, turns that begin and end within one write."""
    table = begin(alice, bob, auto_pass=True, options=SMALL | {"rounds": 1})
    play_match(table)
    assert set(turns()) <= set(turn_begins(table))
    deliver_all()
    assert [told.message["type"] for told in receiver.told] == ["table_finished"]


def test_the_others_get_a_message_if_a_deleted_host_ends_the_table(
    alice: Caller, bob: Caller, webhook: dict[str, Any], receiver: Receiver
) -> None:
    table = open_table(bob, seats=3, host_seat=None, visibility="public")
    alice.post(f"tables/{table['id']}/seats", {})
    bob.post(f"tables/{table['id']}/cancel")
    assert bob.delete("players/me").status == 204
    deliver_all()
    assert [told.message["data"]["seat"] for told in receiver.told] == [0]


def test_without_webhooks_a_move_takes_no_further_query(alice: Caller, bob: Caller, webhook: dict[str, Any]) -> None:
    cleo_and_bob = begin(bob, alice)
    alice.patch(f"players/me/webhooks/{webhook['id']}", {"enabled": False})
    with CaptureQueriesContext(connection) as captured:
        while snapshot(cleo_and_bob).is_playing:
            step(cleo_and_bob)
    asked = [query["sql"] for query in captured if "webhooks" in query["sql"].replace("has_webhooks", "")]
    assert asked == []


def test_messages_are_written_in_the_transaction_of_the_move(
    alice: Caller, bob: Caller, webhook: dict[str, Any]
) -> None:
    """Or a crash after the commit would lose them."""
    from django.db import transaction

    table = begin(alice, bob)
    while snapshot(table).turn == 0:
        step(table)
    before = Delivery.objects.count()
    with transaction.atomic():
        while snapshot(table).turn == 1:
            step(table)
        assert Delivery.objects.count() == before + 1
        transaction.set_rollback(True)
    assert Delivery.objects.count() == before


@pytest.mark.django_db(transaction=True)  # the memory keeps tables only after a commit
def test_a_move_over_http_writes_the_message_too(alice: Caller, bob: Caller, webhook: dict[str, Any]) -> None:
    """Without webhooks such a move needs no lock; the message must not be left out."""
    table = begin(alice, bob)
    while snapshot(table).turn == 0:
        step(table)
    before = Delivery.objects.count()
    while snapshot(table).turn == 1:
        assert play_move(table, bob).status == 201
    assert Delivery.objects.count() == before + 1


def test_deleted_players_get_no_messages_about_their_seats(alice: Caller, bob: Caller, webhook: dict[str, Any]) -> None:
    begin(alice, bob)
    alice.delete("players/me")
    leaving.vacate_all_gone()
    assert not Delivery.objects.exists()


def test_a_start_with_a_bot_to_move_sends_no_message(alice: Caller, webhook: dict[str, Any]) -> None:
    table = open_table(alice, seats=2, host_seat=1, bots=bots(0))
    start(table, alice)
    assert not Delivery.objects.exists()
