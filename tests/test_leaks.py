"""What a seat may know (``rules.md`` §9): matches over HTTP, every byte each viewer received, and no tile too many.

A page may tell a tile if it lies on the table, if it is in the viewer's own hand, or if its round is over. What is
said about rounds that are over is compared with the rows, word for word, and then taken out of the page; every tile
that is still named in it has to be one of those that the viewer may know of the running round.
"""

import json
import re
from base64 import b64encode
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import chain
from random import Random
from typing import Any

import pytest

from rules.dealing import deal
from rules.errors import BrokenLog
from rules.legality import legal_moves
from rules.log import drawn_tiles, replay
from rules.moves import Move
from rules.notation import move_text, parse_move, parse_tile, tile_text, tile_texts
from rules.state import State
from rules.tiles import Tile, double, double_set, set_of, tiles_in
from tables import codec, tasks
from tables.models import Move as MoveRow
from tables.models import Round, Table
from tests.cast import Answer, Caller, guest, open_table
from tests.matches import SMALL, begin, bots, heaviest, put_order, send, snapshot, state

NAMED = re.compile(r"(?<![\w-])\d{1,2}-\d{1,2}(?![\w-])")
"""A tile's name wherever it stands; not the middle of an id, a date or an ETag."""
PAGES = ("/position", "/moves", "", "/rounds", "/rounds/1", "/rounds/1/deal", "/rounds/2", "/rounds/2/deal")
BUSY_PAGES = PAGES[:2]
WRONG_MOVES = ("draw", "pass", "end", "call 1", "fly", "0-0>0", "6-6>mexican", "5-4>1", "3-2>7")


@dataclass
class Viewer:
    """Somebody who looks at the table, and all that they ever received."""

    name: str
    caller: Caller
    seat: int | None = None
    received: list[str] = field(default_factory=list)

    def keep(self, answer: Answer) -> Answer:
        self.received.append(f"{sorted(answer.headers.items())} {answer.text}")
        return answer


@dataclass
class Secrets:
    """What the rows know of a table now.

    ``log`` and ``drawn`` are the moves, and the tiles drawn, of rounds that are over, by number; ``hidden`` are texts
    that nobody may receive.
    """

    table: Table
    over: dict[int, Round]
    running: Round | None
    state: State | None
    log: dict[int, str]
    drawn: dict[int, str]
    hidden: list[str]

    def known_to(self, seat: int | None) -> set[Tile]:
        """The tiles of the running round that a seat may know: the engine, what is laid, and its own hand."""
        if self.state is None:
            return set()
        own = 0 if seat is None else self.state.hands[seat]
        laid = chain.from_iterable(train.tiles for train in self.state.trains)
        return {double(self.state.setup.engine), *laid, *tiles_in(own)}


def secrets_of(table: dict[str, Any]) -> Secrets:
    row = Table.objects.get(pk=table["id"])
    rounds = {each.number: each for each in row.rounds.filter(dealt_at__isnull=False)}
    over = {number: each for number, each in rounds.items() if each.ended_at is not None}
    running = next((each for number, each in rounds.items() if number not in over), None)
    drawn = dict(chain.from_iterable(map(draws_of, over.values())))
    hidden = list(chain.from_iterable(map(deal_texts, row.rounds.filter(ended_at__isnull=True))))
    log = dict(MoveRow.objects.filter(round__in=over.values()).values_list("number", "text"))
    now = replay(*record_of(running)) if running else None
    return Secrets(row, over, running, now, log, drawn, hidden)


def deal_texts(coming: Round) -> list[str]:
    """The shapes in which a deal could get out."""
    secret = bytes(coming.secret)
    orders = [coming.order, json.dumps(coming.order.split())] if coming.order else []
    return [secret.hex(), b64encode(secret).decode().rstrip("="), *orders]


def record_of(played: Round) -> tuple[State, list[Move]]:
    """A round's deal and its log."""
    dealt = codec.dealt_state(played, codec.options_of(played.table.options), played.table.seats.count())
    return dealt, [parse_move(text) for text in played.moves.order_by("number").values_list("text", flat=True)]


def draws_of(played: Round) -> list[tuple[int, str]]:
    numbers = played.moves.order_by("number").values_list("number", flat=True)
    taken = drawn_tiles(*record_of(played))
    return [(number, tile_text(tile)) for number, tile in zip(numbers, taken, strict=True) if tile]


def check(viewer: Viewer, answer: Answer, secrets: Secrets) -> None:
    """Fail on anything in this answer that its viewer may not know now."""
    viewer.keep(answer)
    rest = without_the_past(answer.body, secrets)
    text = f"{json.dumps(rest)} {dict(answer.headers)}"
    told = {parse_tile(name) for name in NAMED.findall(text)}
    too_much = told - secrets.known_to(viewer.seat) - engines(secrets)
    assert not too_much, f"{viewer.name} learns {tile_texts(too_much)} from {answer.text}"
    assert not [hidden for hidden in secrets.hidden if hidden in answer.text], f"{viewer.name} learns of a deal"


def engines(secrets: Secrets) -> set[Tile]:
    """Public from the start; once a match is over its last round still lies on the table."""
    rounds = [*secrets.over.values(), *([secrets.running] if secrets.running else [])]
    last = set(double_set(18)) if secrets.table.status == "finished" else set()
    return {double(each.engine or 0) for each in rounds} | last


def without_the_past(body: Any, secrets: Secrets) -> Any:
    """A body without what it says of rounds that are over, each checked to be just that."""
    if isinstance(body, list):
        return [without_the_past(each, secrets) for each in body]
    if not isinstance(body, dict):
        return body
    if is_of_the_past(body, secrets):
        return None
    if "position" in body and is_logged_in_the_past(body, secrets):
        return without_the_past(body["position"], secrets)
    return {key: without_the_past(value, secrets) for key, value in body.items()}


def is_logged_in_the_past(body: dict[str, Any], secrets: Secrets) -> bool:
    """Whether an accepted move is of a round that is over, and says of itself what the log says."""
    if body.get("number") not in secrets.log:
        return False
    assert body["move"] == secrets.log[body["number"]]
    assert "tile" not in body
    return True


def is_of_the_past(body: dict[str, Any], secrets: Secrets) -> bool:
    if "hands" in body and "secret" in body:
        played = secrets.over[body["round"]]
        assert body["order"] == played.order.split()
        assert body["secret"] == bytes(played.secret).hex()
        assert body["hands"] == [hand.tiles.split() for hand in played.hands.order_by("seat__number")]
        return True
    if "hands" in body:
        assert body == secrets.over[body["number"]].result
        return True
    if "by" in body and body["round"] in secrets.over:
        assert body["move"] == secrets.log[body["number"]]
        assert body.get("tile") == secrets.drawn.get(body["number"])
        return True
    return body.get("code") == "unreadable_move"  # its sentence has an example in it


def look_at(table: dict[str, Any], viewers: list[Viewer], pages: Iterable[str] = PAGES) -> None:
    secrets = secrets_of(table)
    for viewer in viewers:
        for page in pages:
            check(viewer, viewer.caller.get(f"tables/{table['id']}{page}"), secrets)


def look_at_lists(table: dict[str, Any], viewers: list[Viewer]) -> None:
    secrets = secrets_of(table)
    for viewer in viewers:
        for path in ("tables", "players/me/tables"):
            check(viewer, viewer.caller.get(path), secrets)


def try_wrong_moves(table: dict[str, Any], viewers: list[Viewer]) -> None:
    """Refusals carry a position; those of the seat to move carry its legal moves."""
    secrets, number = secrets_of(table), snapshot(table).next_number
    for viewer in viewers:
        for move in WRONG_MOVES:
            own = secrets.state if secrets.state and viewer.seat == secrets.state.turn else None
            place = number + 1 if own and is_legal(own, move) else number
            answer = send(table, viewer.caller, move, place)
            assert answer.status >= 400
            check(viewer, answer, secrets)
        check(viewer, send(table, viewer.caller, "12-12>7", 1), secrets)


def is_legal(now: State, text: str) -> bool:
    return text in map(move_text, legal_moves(now))


def one_move(table: dict[str, Any], viewers: list[Viewer]) -> None:
    """The next move, and its retry, by whoever's turn it is."""
    now = snapshot(table)
    seated = {viewer.seat: viewer for viewer in viewers if viewer.seat is not None}
    if now.turn not in seated:
        assert tasks.take_turn(table["id"], now.next_number)
        return
    viewer = seated[now.turn]
    for status in (201, 200):
        answer = send(table, viewer.caller, move_text(heaviest(now)), now.next_number)
        assert answer.status == status
        check(viewer, answer, secrets_of(table))


def watchers(alice: Caller) -> list[Viewer]:
    """Nobody at all, somebody with a name, and somebody who plays elsewhere with one of the same players."""
    elsewhere = guest("Dora")
    begin(elsewhere, alice)
    return [Viewer("spectator", Caller()), Viewer("Cleo", guest("Cleo")), Viewer("Dora", elsewhere)]


@pytest.mark.parametrize(("persons", "machines", "tiles"), [(2, 0, 4), (2, 2, 2)])
def test_nobody_ever_receives_a_tile_they_may_not_know(
    alice: Caller, bob: Caller, persons: int, machines: int, tiles: int
) -> None:
    options = SMALL | {"hand_sizes": {str(persons + machines): tiles}}
    table = begin(alice, bob, bots=bots(*range(2, 2 + machines)), options=options, visibility="public")
    viewers = [Viewer("Alice", alice, 0), Viewer("Bob", bob, 1), *watchers(alice)]
    rounds_played = None
    while (now := snapshot(table)).is_playing:
        if now.next_number % 2:
            look_at(table, viewers, BUSY_PAGES)
        if now.rounds_played != rounds_played:
            rounds_played = now.rounds_played
            look_at_all(table, viewers)
        one_move(table, viewers)
    look_at_all(table, viewers)
    assert rounds_played == 1
    assert_all_came_out(table, viewers)


def look_at_all(table: dict[str, Any], viewers: list[Viewer]) -> None:
    look_at(table, viewers)
    look_at_lists(table, viewers)
    try_wrong_moves(table, viewers)


def assert_all_came_out(table: dict[str, Any], viewers: list[Viewer]) -> None:
    """In the end everybody has been told everything: so the pages above were pages with tiles in them."""
    for viewer in viewers:
        received = "\n".join(viewer.received)
        for played in Round.objects.filter(table=table["id"]):
            assert bytes(played.secret).hex() in received
            assert all(tile in received for tile in played.order.split())


def test_before_the_deal_nothing_is_told(alice: Caller, bob: Caller) -> None:
    table = open_table(alice, seats=2, visibility="public", options=SMALL)
    viewers = [Viewer("Alice", alice, 0), Viewer("Bob", bob), Viewer("spectator", Caller())]
    look_at_all(table, viewers)


def test_a_cancelled_round_stays_hidden(alice: Caller, bob: Caller) -> None:
    table = begin(alice, bob, visibility="public")
    viewers = [Viewer("Alice", alice, 0), Viewer("Bob", bob, 1), Viewer("spectator", Caller())]
    for _ in range(3):
        one_move(table, viewers)
    alice.post(f"tables/{table['id']}/cancel")
    look_at_all(table, viewers)


# Two positions that differ only in what a seat may not know


SERVER_TIME = re.compile(r'"server_time":"[^"]*"')


def all_that_is_seen(table: dict[str, Any], viewer: Viewer) -> list[str]:
    """Every page, and the refusals of many moves, as the viewer gets them; without the time of day."""
    number = snapshot(table).next_number
    refusals = [send(table, viewer.caller, move, number) for move in refused_moves(state(table), viewer)]
    assert snapshot(table).next_number == number
    return pages_seen(table, viewer, PAGES) + [without_time(answer) for answer in refusals]


def pages_seen(table: dict[str, Any], viewer: Viewer, pages: Iterable[str]) -> list[str]:
    return [without_time(viewer.caller.get(f"tables/{table['id']}{page}")) for page in pages]


def without_time(answer: Answer) -> str:
    return SERVER_TIME.sub("", f"{sorted(answer.headers.items())} {answer.text}")


def refused_moves(now: State, viewer: Viewer) -> list[str]:
    """Moves that the viewer may not make; whoever is to move learns a reason, so they try many."""
    if viewer.seat != now.turn:
        return list(WRONG_MOVES)
    plays = [f"{tile}>{train}" for tile in tile_texts(double_set(6)) for train in ("0", "1", "mexican")]
    tried = [*WRONG_MOVES, *Random(0).sample(plays, 30)]
    return [move for move in tried if not is_legal(now, move)]


def another_deal(table: dict[str, Any], seat: int | None, chance: Random) -> State:
    """Deal the running round anew, so that the seat could not tell: the same log is legal, hidden tiles differ."""
    now = snapshot(table)
    assert now.round is not None
    assert now.state is not None
    order = codec.tiles_from(now.round.order)
    hidden = hidden_from(now.state, seat)
    log = [parse_move(text) for text in now.round.moves]
    for _ in range(5000):
        other = swapped(order, hidden, chance)
        dealt = deal(now.options, len(now.seats), now.round.engine, now.round.starter, other)
        try:
            then = replay(dealt, log)
        except BrokenLog:
            continue
        if then != now.state:
            put_order(now.round.id, other, [list(tiles_in(hand)) for hand in dealt.hands])
            return then
    raise AssertionError("No other deal has this log.")


def hidden_from(now: State, seat: int | None) -> list[Tile]:
    hands = [hand for other, hand in enumerate(now.hands) if other != seat]
    return [*chain(*map(tiles_in, hands)), *now.boneyard]


def swapped(order: list[Tile], hidden: list[Tile], chance: Random) -> list[Tile]:
    """The order with the hidden tiles, or some of them, in each other's places."""
    some = chance.sample(hidden, chance.randint(2, len(hidden)))
    places = dict(zip(some, chance.sample(some, len(some)), strict=True))
    return [places.get(tile, tile) for tile in order]


@pytest.mark.parametrize("seat", [0, 1, 2, None])
@pytest.mark.parametrize("moves", [0, 4, 9])
def test_two_deals_that_differ_in_what_is_hidden_look_the_same(
    alice: Caller, bob: Caller, cleo: Caller, seat: int | None, moves: int
) -> None:
    table = begin(alice, bob, cleo, options=SMALL | {"hand_sizes": {"3": 7}}, auto_pass=True)
    seated = [Viewer(f"seat {number}", caller, number) for number, caller in enumerate((alice, bob, cleo))]
    viewer = Viewer("spectator", Caller()) if seat is None else seated[seat]
    for _ in range(moves):
        one_move(table, seated)
    before, seen = state(table), all_that_is_seen(table, viewer)
    for chance in map(Random, range(4)):
        then = another_deal(table, seat, chance)
        assert state(table) == then != before
        assert seat is None or then.hands[seat] == before.hands[seat]
        assert set_of(hidden_from(then, seat)) == set_of(hidden_from(before, seat))
        assert pages_seen(table, viewer, BUSY_PAGES) == seen[: len(BUSY_PAGES)]
    assert all_that_is_seen(table, viewer) == seen
