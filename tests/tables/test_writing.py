"""Writes of one transaction: auto-passes, the end of a round, the end of a match, and rows that repeat the log."""

from functools import partial
from itertools import chain
from typing import Any

import pytest

from rules.mexican_train.dealing import deal, hands_dealt
from rules.mexican_train.log import replay
from rules.mexican_train.match import first_seat_of, winners
from rules.mexican_train.notation import parse_move
from rules.mexican_train.options import hand_size, resolve
from rules.mexican_train.scoring import round_points
from rules.mexican_train.state import State
from rules.shuffling import SECRET_BYTES, commitment_to, shuffled
from rules.tiles import all_with_pip, tile_texts, tiles_in
from tables import snapshots
from tables.models import By, Hand, Move, Round, Table
from tests.cases import slow_after
from tests.cast import Caller, join, open_table, position, start
from tests.matches import SMALL, arrange, begin, bots, play_match, play_round, send, snapshot, state, step

FULL = {"set_max_pip": 6, "hand_sizes": {"3": 9}, "rounds": 1}
"""Three seats that hold the whole set: there is no boneyard, and whoever is stuck can only pass."""
SIXES = (
    "6-0 6-1 6-2 6-3 6-4 6-5 0-0 1-0 1-1",
    "2-0 2-1 2-2 3-0 3-1 3-2 3-3 4-0 4-1",
    "4-2 4-3 4-4 5-0 5-1 5-2 5-3 5-4 5-5",
)


def log(table: dict[str, Any]) -> list[tuple[int, str, str]]:
    return list(Move.objects.filter(table=table["id"]).order_by("number").values_list("seat", "text", "by"))


# auto_pass


@pytest.fixture
def trio(alice: Caller, bob: Caller, cleo: Caller) -> dict[str, Any]:
    """Alice holds every tile that fits the engine."""
    table = begin(alice, bob, cleo, options=FULL, auto_pass=True, turn_seconds=60)
    arrange(table, *SIXES)
    return table


def test_auto_pass_passes_for_several_persons_in_a_row(trio: dict[str, Any], alice: Caller) -> None:
    answer = send(trio, alice, "6-5>0", 1)
    assert log(trio) == [(0, "6-5>0", By.PERSON), (1, "pass", By.HOST), (2, "pass", By.HOST)]
    shown = answer.body["position"]
    assert (answer.body["number"], shown["next_number"], shown["turn"]["seat"]) == (1, 4, 0)
    assert [train["marker"] for train in shown["trains"]] == [False, True, True, False]
    assert shown["turn"]["deadline"] is not None
    assert shown == position(trio, alice) | {"turn": shown["turn"]}


def test_without_auto_pass_a_person_has_to_pass(alice: Caller, bob: Caller, cleo: Caller) -> None:
    table = begin(alice, bob, cleo, options=FULL)
    arrange(table, *SIXES)
    send(table, alice, "6-5>0", 1)
    assert snapshot(table).turn == 1
    assert len(log(table)) == 1
    assert send(table, bob, "pass", 2).status == 201


def test_auto_pass_does_not_pass_for_a_person_who_may_draw(alice: Caller, bob: Caller) -> None:
    table = begin(alice, bob, auto_pass=True)
    arrange(table, "6-5 6-4 3-1", "4-4 3-2 4-3", boneyard="2-0")
    send(table, alice, "6-5>0", 1)
    assert snapshot(table).turn == 1
    assert send(table, bob, "draw", 2).status == 201
    assert log(table)[2:] == [(1, "pass", By.HOST)]


def test_auto_pass_does_not_pass_for_a_bot(alice: Caller) -> None:
    table = begin(alice, bots=bots(1, 2), options=FULL, auto_pass=True)
    arrange(table, *SIXES)
    send(table, alice, "6-5>0", 1)
    assert len(log(table)) == 1
    step(table)
    assert log(table)[-1] == (1, "pass", By.BOT)


def test_the_start_of_a_match_passes_for_a_stuck_first_seat(alice: Caller, bob: Caller, cleo: Caller) -> None:
    table = open_table(alice, seats=3, options=FULL, auto_pass=True)
    join(table, bob, cleo)
    choose_secret(table, number=1, engine=6, stuck=0)
    start(table, alice)
    assert log(table)[0] == (0, "pass", By.HOST)


def choose_secret(table: dict[str, Any], *, number: int, engine: int, stuck: int) -> None:
    """Commit a round to come to a secret that deals this seat no tile which fits the engine."""
    leaves_stuck = partial(leaves_seat_stuck, table, number, engine, stuck)
    secret = next(filter(leaves_stuck, (bytes([byte] * SECRET_BYTES) for byte in range(256))))
    Round.objects.filter(number=number).update(secret=secret, commitment=commitment_to(secret))


def leaves_seat_stuck(table: dict[str, Any], number: int, engine: int, seat: int, secret: bytes) -> bool:
    order = shuffled(secret, table["id"], number, ["", "", ""], 6)
    hand = hands_dealt(resolve(table["options"]), 3, engine, order).hands[seat]
    return not hand & all_with_pip(engine, 6)


def test_auto_pass_may_pass_for_the_first_seat_of_a_round(alice: Caller, bob: Caller, cleo: Caller) -> None:
    """The move that ends a round also passes for the next round's first seat if it has no tile that fits."""
    table = begin(alice, bob, cleo, options=FULL | {"rounds": 3}, auto_pass=True)
    choose_secret(table, number=2, engine=5, stuck=1)
    arrange(table, *SIXES)
    play_round(table)
    first = Move.objects.filter(round__number=2).earliest("number")
    assert (first.seat, first.text, first.by) == (1, "pass", By.HOST)
    play_match(table)
    assert {by for _, text, by in log(table) if text == "pass"} == {By.HOST}
    assert_rows_repeat_the_log(table)


def test_auto_pass_may_block_the_round(alice: Caller, bob: Caller, cleo: Caller) -> None:
    table = begin(alice, bob, cleo, options=FULL, auto_pass=True)
    arrange(table, *BLOCKING)
    play_match(table)
    *_, last = log(table)
    assert last[1:] == ("pass", By.HOST)
    assert Table.objects.get().status == "finished"
    assert (snapshot(table).last_result or {})["ended"] == "blocked"
    assert_rows_repeat_the_log(table)


BLOCKING = (
    "2-0 2-1 4-1 4-3 5-2 5-3 5-5 6-2 6-3",
    "1-0 2-2 3-1 3-2 4-4 5-0 6-0 6-4 6-5",
    "0-0 1-1 3-0 3-3 4-0 4-2 5-1 5-4 6-1",
)
"""Played heaviest tile first, this round comes to a stop after nine tiles."""


# The end of a round


@pytest.fixture
def nearly_over(alice: Caller, bob: Caller) -> dict[str, Any]:
    """Alice's one tile fits."""
    table = begin(alice, bob, options={"set_max_pip": 6, "hand_sizes": {"2": 1}, "rounds": 2})
    arrange(table, "6-5", "4-3")
    return table


def test_the_last_tile_ends_the_round_and_deals_the_next(nearly_over: dict[str, Any], alice: Caller) -> None:
    promised = position(nearly_over, alice)["next_commitment"]
    version = snapshot(nearly_over).version
    answer = send(nearly_over, alice, "6-5>0", 1)
    shown = answer.body["position"]
    assert shown["last_round"] == {
        "number": 1,
        "engine": "6-6",
        "starter": 0,
        "ended": "out",
        "out": 0,
        "points": [0, 7],
        "totals": [0, 7],
        "hands": [[], ["4-3"]],
        "forfeited": [False, False],
    }
    assert shown["round"] == {
        "number": 2,
        "of": 2,
        "engine": "5-5",
        "engine_from": None,
        "starter": 1,
        "commitment": promised,
    }
    assert (shown["turn"]["seat"], shown["next_number"], shown["version"]) == (1, 2, version + 3)
    assert [(seat["tile_count"], seat["total"]) for seat in shown["seats"]] == [(1, 0), (1, 7)]
    assert shown == position(nearly_over, alice) | {"turn": shown["turn"]}


def test_hands_keep_the_dealt_tiles_and_their_points(nearly_over: dict[str, Any], alice: Caller) -> None:
    send(nearly_over, alice, "6-5>0", 1)
    first = Hand.objects.filter(round__number=1).order_by("seat__number")
    assert list(first.values_list("tiles", "points")) == [("6-5", 0), ("4-3", 7)]
    assert set(Hand.objects.filter(round__number=2).values_list("points", flat=True)) == {None}


def test_the_next_commitment_exists_while_another_round_follows(alice: Caller, bob: Caller) -> None:
    table = begin(alice, bob, options=SMALL | {"rounds": 3})
    for number in (1, 2, 3):
        shown = position(table, alice)
        coming = Round.objects.filter(table=table["id"], dealt_at=None).first()
        assert shown["round"]["number"] == number
        assert shown["next_commitment"] == (coming and coming.commitment)
        assert (coming is None) == (number == 3)
        play_round(table)
    assert Round.objects.count() == 3


def test_the_last_round_ends_the_match(nearly_over: dict[str, Any], alice: Caller, bob: Caller) -> None:
    send(nearly_over, alice, "6-5>0", 1)
    arrange(nearly_over, "4-2", "5-3")
    version = snapshot(nearly_over).version
    answer = send(nearly_over, bob, "5-3>1", 2)
    assert (answer.status, answer.body["position"]["status"]) == (201, "finished")
    assert answer.body["position"]["winners"] == [0]
    table = Table.objects.get()
    assert (table.status, table.ended_reason, table.winners, table.version) == ("finished", "played", [0], version + 3)
    assert (table.turn, table.deadline, table.due_at) == (None, None, None)
    assert table.ended_at == Round.objects.get(number=2).ended_at == Move.objects.get(number=2).at
    assert alice.get(f"tables/{nearly_over['id']}").body["ended_reason"] == "played"


def test_equal_totals_share_the_win(alice: Caller, bob: Caller) -> None:
    table = begin(alice, bob, options={"set_max_pip": 6, "hand_sizes": {"2": 1}, "rounds": 2})
    arrange(table, "6-5", "4-3")
    send(table, alice, "6-5>0", 1)
    arrange(table, "5-2", "5-3")
    send(table, bob, "5-3>1", 2)
    assert (snapshot(table).last_result or {})["totals"] == [7, 7]
    assert snapshot(table).winners == [0, 1]


def test_the_last_move_of_a_round_belongs_to_that_round(alice: Caller, bob: Caller) -> None:
    table = begin(alice, bob)
    play_match(table)
    for number in (1, 2):
        numbers = Move.objects.filter(round__number=number).values_list("number", flat=True)
        assert list(numbers) == list(range(min(numbers), max(numbers) + 1))
    assert list(Move.objects.order_by("number").values_list("number", flat=True)) == list(
        range(1, Move.objects.count() + 1)
    )


# Rows that repeat the log


MATCHES: list[dict[str, Any]] = [
    {"options": SMALL, "seats": 2},
    {"options": SMALL | {"rounds": 3}, "seats": 4},
    {"options": FULL | {"rounds": 3}, "seats": 3, "auto_pass": True},
    {"options": {"set_max_pip": 9, "hand_sizes": {"3": 8}, "rounds": 2, "double_factor": 2}, "seats": 3},
    {"options": SMALL | {"hand_sizes": {"2": 13}, "going_out_points": -5}, "seats": 2, "auto_pass": True},
]


@pytest.mark.parametrize("fields", slow_after(2, MATCHES))
def test_rows_repeat_what_the_log_says(alice: Caller, bob: Caller, cleo: Caller, fields: dict[str, Any]) -> None:
    others = (bob, cleo)[: fields["seats"] - 1]
    table = begin(alice, *others, bots=bots(*range(1 + len(others), fields["seats"])), **fields)
    assert_rows_repeat_the_log(table)
    while snapshot(table).is_playing:
        step(table)
        assert_present_repeats_the_log(table)
    assert_rows_repeat_the_log(table)


def rebuilt(played: Round, seats: int) -> State:
    """A round replayed from its secret, its contributions and its log."""
    options = resolve(played.table.options)
    order = shuffled(
        bytes(played.secret), str(played.table_id), played.number, played.client_seeds, options.highest_pip
    )
    if played.order.split() != tile_texts(order):
        order = snapshots.tiles_from(played.order)  # arranged by the test
    first = first_seat_of(options, seats, played.number - 1, 0, [0] * seats)
    dealt = deal(options, seats, options.engine_wanted(played.number - 1), first, order)
    return replay(dealt, map(parse_move, played.moves.order_by("number").values_list("text", flat=True)))


def assert_present_repeats_the_log(table: dict[str, Any]) -> None:
    """Whose turn it is, and how many tiles each seat holds."""
    row = Table.objects.get(pk=table["id"])
    assert row.next_number == Move.objects.filter(table=row).count() + 1
    if row.status == "playing":
        running = row.rounds.get(number=row.rounds_played + 1)
        now = rebuilt(running, row.seats.count())
        assert now.ended is None
        assert (row.turn, row.tile_counts) == (now.turn, [hand.bit_count() for hand in now.hands])


def assert_rows_repeat_the_log(table: dict[str, Any]) -> None:
    """Points, results, totals, commitments, winners and the hands that were dealt."""
    row = Table.objects.get(pk=table["id"])
    seats = row.seats.count()
    totals, points_by_round = [0] * seats, []
    for played in row.rounds.filter(ended_at__isnull=False).order_by("number"):
        end = rebuilt(played, seats)
        points = list(round_points(end))
        totals = [total + scored for total, scored in zip(totals, points, strict=True)]
        points_by_round.append(points)
        assert played.commitment == commitment_to(bytes(played.secret))
        assert list(played.hands.order_by("seat__number").values_list("points", flat=True)) == points
        assert played.result == {
            "number": played.number,
            "engine": f"{end.setup.engine}-{end.setup.engine}",
            "starter": (played.number - 1) % seats,
            "ended": end.ended,
            "out": end.out,
            "points": points,
            "totals": totals,
            "hands": [tile_texts(tiles_in(hand)) for hand in end.hands],
            "forfeited": [False] * seats,
        }
        assert_hands_as_dealt(played, end)
    assert len(points_by_round) == row.rounds_played
    assert list(row.seats.order_by("number").values_list("total", flat=True)) == totals
    if row.status == "finished":
        assert row.winners == winners(resolve(row.options), points_by_round, [True] * seats)


def assert_hands_as_dealt(played: Round, end: State) -> None:
    """The tiles dealt to a hand and drawn are those that it laid or kept."""
    dealt = [
        snapshots.tiles_from(tiles) for tiles in played.hands.order_by("seat__number").values_list("tiles", flat=True)
    ]
    size = hand_size(end.setup.options, end.setup.seats)
    engine = f"{end.setup.engine}-{end.setup.engine}"
    order = [tile for tile in played.order.split() if tile != engine]
    assert sorted(chain(*map(tile_texts, dealt))) == sorted(order[: size * len(dealt)])


def test_the_next_state_is_the_replayed_one(alice: Caller, bob: Caller) -> None:
    table = begin(alice, bob, options=SMALL | {"hand_sizes": {"2": 7}, "rounds": 1})
    while snapshot(table).is_playing:
        assert state(table) == rebuilt(Round.objects.get(), 2)
        step(table)
