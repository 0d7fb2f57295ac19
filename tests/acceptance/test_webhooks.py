"""Webhooks with real workers: one message for each turn, slow receivers delay nothing, failed attempts are repeated."""

from http.server import BaseHTTPRequestHandler
from typing import Any

from tests.acceptance.server import Client, Server, until
from tests.receiver import Receiver, Told, status

SOON = 20
EVENTS = {"events": ["your_turn", "table_finished"]}


def told_of(receiver: Receiver, table: str) -> list[Told]:
    return [told for told in receiver.told if told.message["data"].get("table") == table]


def registered(client: Client, url: str) -> dict[str, Any]:
    webhook: dict[str, Any] = client.done("POST", "players/me/webhooks", {"url": url} | EVENTS)
    return webhook


def test_a_match_sends_a_message_for_each_turn(alice: Client, receiver: Receiver) -> None:
    secret = registered(alice, receiver.url)["secret"]
    receiver.answers.append(status(503))
    rules = {"rounds": 1, "hand_sizes": {"2": 5}}
    table = alice.open_and_start(seats=2, options=rules, bots=[{"seat": 1, "level": "easy"}])

    until(lambda: len(told_of(receiver, table)) == 2, "the first turn is told, and told again", SOON)
    first, again = told_of(receiver, table)
    assert first.id == again.id
    alice.play_to_the_end(table, 60)
    until(lambda: told_of(receiver, table)[-1].message["type"] == "table_finished", "the end is told", SOON)
    *turns, _ = told_of(receiver, table)[1:]
    assert all(turn.verified(secret)["type"] == "your_turn" for turn in turns)
    numbers = [turn.message["data"]["number"] for turn in turns]
    assert numbers == sorted(set(numbers)), "each turn once"


def test_a_slow_receiver_delays_no_bot_and_no_deadline(server: Server, receiver: Receiver) -> None:
    def say_nothing(request: BaseHTTPRequestHandler) -> None:
        receiver.ended.wait(4)

    slow = [Client(server, f"Slow {number}") for number in range(6)]
    for client in slow:
        webhook = registered(client, receiver.url)
        receiver.answers.append(say_nothing)
        client.done("POST", f"players/me/webhooks/{webhook['id']}/test")
    alice = Client(server, "Alice")
    rules = {"rounds": 1, "hand_sizes": {"2": 5}}
    table = alice.open_and_start(
        seats=2, host_seat=None, options=rules, bots=[{"seat": seat, "level": "easy"} for seat in (0, 1)]
    )
    assert alice.play_to_the_end(table, 15)["status"] == "finished"
    receiver.answers.clear()
