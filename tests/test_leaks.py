"""Hidden tiles (``rules.md`` §9): matches over HTTP, with every byte that each viewer received.

A page may tell a tile if it lies on the table, if it is in the viewer's own hand, or if its round is over. What is
said about rounds that are over is compared with the rows, word for word, and then taken out of the page; every tile
that is still named in it has to be one of those that the viewer may know of the running round.
"""

import json
import re
from base64 import b64encode
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from itertools import chain, product
from random import Random
from typing import Any

import pytest

from rules.errors import BrokenLog
from rules.mexican_train.announcing import calls_of
from rules.mexican_train.bots import choose
from rules.mexican_train.dealing import EngineFound, deal, engine_found, hands_dealt
from rules.mexican_train.legality import legal_moves_of
from rules.mexican_train.log import replay
from rules.mexican_train.moves import Announce, Move, Play
from rules.mexican_train.notation import move_text, parse_move
from rules.mexican_train.options import resolve
from rules.mexican_train.state import State
from rules.mexican_train.versions import VERSIONS
from rules.mexican_train.view import View, view_for
from rules.records.json_form import record_from
from rules.records.text_form import text_of
from rules.tiles import Tile, double, double_set, parse_tile, set_of, tile_text, tile_texts, tiles_in
from tables import repository, snapshots, tasks
from tables.models import Move as MoveRow
from tables.models import Round, Table
from tables.snapshots import Snapshot
from tests.cases import slow_after
from tests.cast import Answer, Caller, guest, join, open_table, start
from tests.deals import deal_again, engine_from
from tests.matches import SMALL, begin, bots, put_order, send, snapshot, state, step
from tests.streams import Heard, listening
from webhooks import addressbook
from webhooks.models import Delivery

NAMED = re.compile(r"(?<![\w-])\d{1,2}-\d{1,2}(?![\w-])")
"""A tile's name wherever it stands; not the middle of an id, a date or an ETag."""
BUSY_PAGES = (
    *("/position?said=true", "/board.svg", "/board.svg?shape=wide", "/moves?said=true&limit=500", "/explain", "/hint"),
)
IN_WORDS = ("/position", "/moves?limit=500")
"""Pages that are text too."""
PAST_PAGES = ("/record", "/rounds", *(f"/rounds/{number}{more}" for number in (1, 2) for more in ("", "/deal")))
PAST_PICTURES = {f"/positions/{number}/board.svg": number for number in (1, 5)}
PAGES = (*BUSY_PAGES, "", *PAST_PAGES, *(f"/positions/{number}" for number in (1, 5)), *PAST_PICTURES)
PUBLIC_FACTS = {
    *("table", "name", "round", "number", "seat", "deadline"),
    *("status", "ended_reason", "winners", "totals", "forfeited"),
}
"""All that a webhook is told of."""
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

    ``log`` and ``drawn`` are the moves, and the tiles that they took from the boneyard, of rounds that are over, by
    number; ``hidden`` are texts that nobody may receive.
    """

    table: Table
    over: dict[int, Round]
    running: Round | None
    state: State | None
    log: dict[int, str]
    drawn: dict[int, list[str]]
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
    dealt = repository.dealt_state(played.table, played.table.seats.count(), played)
    return dealt, [parse_move(text) for text in played.moves.order_by("number").values_list("text", flat=True)]


def draws_of(played: Round) -> list[tuple[int, list[str]]]:
    numbers = played.moves.order_by("number").values_list("number", flat=True)
    taken = VERSIONS[2].drawn_tiles(*record_of(played))
    return [(number, tile_texts(tiles)) for number, tiles in zip(numbers, taken, strict=True)]


def check(viewer: Viewer, answer: Answer, secrets: Secrets) -> None:
    """Fail on anything in this answer that its viewer may not know now."""
    viewer.keep(answer)
    if is_picture(answer):
        rest = answer.text
    elif is_text(answer):
        rest = "\n".join(line for line in answer.text.splitlines() if not is_line_of_the_past(line, secrets))
    else:
        rest = json.dumps(without_the_past(answer.body, secrets))
    text = f"{rest} {dict(answer.headers)}"
    told = {parse_tile(name) for name in NAMED.findall(text)}
    too_much = told - secrets.known_to(viewer.seat) - engines(secrets)
    assert not too_much, f"{viewer.name} learns {tile_texts(too_much)} from {answer.text}"
    assert not [hidden for hidden in secrets.hidden if hidden in answer.text], f"{viewer.name} learns of a deal"


def is_picture(answer: Answer) -> bool:
    return str(answer.headers.get("Content-Type")).startswith("image/svg+xml")


def is_text(answer: Answer) -> bool:
    return str(answer.headers.get("Content-Type")).startswith("text/plain")


def is_line_of_the_past(line: str, secrets: Secrets) -> bool:
    """A line of the log about a round that is over, or a position's last move if that was one of its moves."""
    if line.startswith("Last move: "):
        return secrets.table.next_number - 1 in secrets.log
    number, dot, _ = line.partition(". ")
    return bool(dot) and number.isdecimal() and int(number) in secrets.log


def check_past_picture(viewer: Viewer, answer: Answer, number: int, secrets: Secrets) -> None:
    """It shows the tiles of its moment, of a round that is over: all that were laid, and every hand."""
    viewer.keep(answer)
    row = MoveRow.objects.select_related("round").get(table=secrets.table, number=number)
    then = state_then(secrets.over[row.round.number], number)
    laid = chain.from_iterable(train.tiles for train in then.trains)
    hands = chain.from_iterable(map(tiles_in, then.hands))
    assert {parse_tile(name) for name in NAMED.findall(answer.text)} == {double(then.setup.engine), *laid, *hands}


def engines(secrets: Secrets) -> set[Tile]:
    """Public from the start; once a match is over its last round still lies on the table."""
    rounds = [*secrets.over.values(), *([secrets.running] if secrets.running else [])]
    last = set(double_set(18)) if secrets.table.status == "finished" else set()
    return {double(each.facts.get("engine", 0)) for each in rounds} | last


def without_the_past(body: Any, secrets: Secrets) -> Any:
    """A body without its facts about finished rounds, each of which is checked."""
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
    """Whether an accepted move belongs to a finished round and equals its log entry."""
    if body.get("number") not in secrets.log:
        return False
    assert logged_text(body) == secrets.log[body["number"]]
    assert body.keys().isdisjoint({"tile", "tiles"})
    return True


def logged_text(body: dict[str, Any]) -> str:
    text: str = body["move"]
    return f"{text} keep" if body.get("keep_marker") else text


def is_of_the_past(body: dict[str, Any], secrets: Secrets) -> bool:
    if "order" in body and "moves" in body:
        check_recorded_round(body, secrets.over[body["number"]])
        return True
    if "secret" in body:
        check_deal(body, secrets.over[body["round"]])
        return True
    if "by_seat" in body:
        check_past_position(body, secrets.over[body["round"]])
        return True
    if "hands" in body:
        assert body == secrets.over[body["number"]].result
        return True
    if "by" in body and body.get("round") in secrets.over:
        check_past_move(body, secrets)
        return True
    return body.get("code") == "unreadable_move"  # its sentence has an example in it


def engine_found_in(table: Table, seats: int, played: Round) -> EngineFound:
    order = snapshots.tiles_from(played.order)
    return engine_found(resolve(table.options), seats, played.facts["engine"], played.facts["first_seat"], order)


def check_deal(body: dict[str, Any], played: Round) -> None:
    found = engine_found_in(played.table, len(body["hands"]), played)
    assert body["order"] == played.order.split()
    assert body["secret"] == bytes(played.secret).hex()
    assert body["hands"] == [hand.tiles.split() for hand in played.hands.order_by("seat__number")]
    assert (body["engine"], body["engine_from"]) == (tile_text(found.engine), found.holder)
    assert [(each["seat"], each["tile"]) for each in body["engine_draws"]] == [
        (seat, tile_text(tile)) for seat, tile in found.draws
    ]


def check_recorded_round(body: dict[str, Any], played: Round) -> None:
    assert body["order"] == played.order.split()
    assert body["secret"] == bytes(played.secret).hex()
    assert [(each["number"], logged_text(each)) for each in body["moves"]] == list(
        played.moves.order_by("number").values_list("number", "text")
    )


def check_past_position(body: dict[str, Any], played: Round) -> None:
    then = state_then(played, body["number"])
    assert body["hands"] == [tile_texts(tiles_in(hand)) for hand in then.hands]
    assert body["boneyard"] == tile_texts(then.boneyard)
    laid = [sorted(map(sorted, (tile.split("-") for tile in train["tiles"]))) for train in body["trains"]]
    assert laid == [sorted(sorted(tile.split("-")) for tile in tile_texts(train.tiles)) for train in then.trains]


def state_then(played: Round, number: int) -> State:
    """The state after the move with this number."""
    dealt, log = record_of(played)
    first = played.moves.order_by("number").values_list("number", flat=True)[0]
    return replay(dealt, log[: number - first + 1])


def check_past_move(body: dict[str, Any], secrets: Secrets) -> None:
    """A draw has its one tile, a call those of the called seat."""
    drawn = secrets.drawn[body["number"]]
    assert logged_text(body) == secrets.log[body["number"]]
    move = parse_move(body["move"])
    laid = tile_text(move.tile) if isinstance(move, Play) else None
    assert body.get("tile") == (drawn[0] if body["type"] == "draw" else laid)
    assert body.get("tiles") == (drawn if body["move"].startswith("call") else None)


def look_at(table: dict[str, Any], viewers: list[Viewer], pages: Iterable[str] = PAGES) -> None:
    secrets = secrets_of(table)
    for viewer in viewers:
        for page in pages:
            answer = viewer.caller.get(f"tables/{table['id']}{page}")
            if page in PAST_PICTURES and is_picture(answer):
                check_past_picture(viewer, answer, PAST_PICTURES[page], secrets)
            else:
                check(viewer, answer, secrets)
        for page in IN_WORDS:
            check(viewer, viewer.caller.get(f"tables/{table['id']}{page}", Accept="text/plain"), secrets)


def look_at_text(table: dict[str, Any], viewers: list[Viewer]) -> None:
    """The record as text has nothing in it that the same as JSON has not; comments it has none."""
    for viewer in viewers:
        address = f"tables/{table['id']}/record"
        text = viewer.keep(viewer.caller.get(address, Accept="text/plain")).text
        assert text == text_of(record_from(viewer.caller.get(address).body))


def look_at_events(table: dict[str, Any], viewers: list[Viewer]) -> None:
    """All events since the table was opened."""
    secrets = secrets_of(table)
    logged = dict(MoveRow.objects.filter(table=table["id"]).values_list("number", "text"))
    for viewer in viewers:
        for event in events_seen(table, viewer):
            text = json.dumps(event.data)
            if event.kind == "move":
                assert logged_text(event.data) == logged[event.data["number"]]
                assert set(NAMED.findall(text)) == set(NAMED.findall(logged[event.data["number"]]))
            else:
                check(viewer, Answer(200, event.data, {"id": event.id}, text), secrets)


def events_seen(table: dict[str, Any], viewer: Viewer) -> list[Heard]:
    if viewer.caller.get(f"tables/{table['id']}").status != 200:
        return []
    with listening(table, viewer.caller, after=1) as stream:
        return stream.events(snapshot(table).version - 1)


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
            place = number + 1 if is_legal(secrets.state, viewer.seat, move) else number
            answer = send(table, viewer.caller, move, place)
            assert answer.status >= 400
            check(viewer, answer, secrets)
        check(viewer, send(table, viewer.caller, "12-12>7", 1), secrets)


def is_legal(now: State | None, seat: int | None, text: str) -> bool:
    return now is not None and seat is not None and text in map(move_text, legal_moves_of(now, seat))


def one_move(table: dict[str, Any], viewers: list[Viewer]) -> None:
    """The next move with its retry, by the seat to move; or a call by a seat that may make one."""
    now = snapshot(table)
    viewer, move = who_moves(now, {viewer.seat: viewer for viewer in viewers if viewer.seat is not None})
    if viewer is None:
        assert tasks.take_turn(table["id"], now.next_number)
        return
    answers = [sent(table, viewer.caller, move, now.next_number) for _ in range(2)]
    assert [answer.status for answer in answers] == [201, 200]
    secrets = secrets_of(table)
    for answer in answers:
        check(viewer, answer, secrets)


def who_moves(now: Snapshot, seated: dict[int, Viewer]) -> tuple[Viewer | None, Move]:
    """The last seat that can call, if possible out of turn; otherwise the seat to move, ``None`` for a bot's."""
    assert now.state is not None
    assert now.turn is not None
    callers = [seat for seat in seated if calls_of(now.state, seat)]
    if callers:
        return seated[callers[-1]], calls_of(now.state, callers[-1])[0]
    return seated.get(now.turn), forgetful(view_for(now.state, now.turn))


def forgetful(view: View) -> Move:
    """The heaviest tile, with the marker kept where that may be; nothing is ever announced."""
    moves = [move for move in view.legal_moves if not isinstance(move, Announce)]
    return choose("easy", replace(view, legal_moves=tuple(reversed(moves))), lambda _: 0)


def sent(table: dict[str, Any], caller: Caller, move: Move, number: int) -> Answer:
    text, kept, _ = move_text(move).partition(" keep")
    return send(table, caller, text, number, **({"keep_marker": True} if kept else {}))


def watchers(alice: Caller) -> list[Viewer]:
    """A caller without a token, a player, and a player who sits at another table with one of the same players."""
    elsewhere = guest("Dora")
    begin(elsewhere, alice)
    return [Viewer("spectator", Caller()), Viewer("Cleo", guest("Cleo")), Viewer("Dora", elsewhere)]


@dataclass(frozen=True)
class Match:
    """Two persons and some bots, by which rules, the tiles with which the first order begins, and who looks on."""

    machines: int
    tiles: int
    options: dict[str, Any] = field(default_factory=dict)
    order: str = ""
    watchers: int = 1


PENALTY = {"announce": "penalty"}
LONG = {"first_turn_length": "unlimited", "first_turn_double": "deferred", "first_turn_out": "finish_lap"}
CHOICES = {"must_play": False, "drawn_tile": "may", "marker_clear": "optional_own_play"}
NO_SIX = "5-5 5-4 5-3 5-2 5-1 4-4 4-3 4-2 4-1 3-3"
"""Nobody holds the first engine."""
SIX_SOON = f"{NO_SIX} 3-1 6-6"
MATCHES = {
    "two persons": Match(0, 4, watchers=3),
    "two bots besides": Match(2, 2, watchers=3),
    "penalties": Match(1, 2, PENALTY, order="6-5 3-1 5-4 4-2 6-3 6-1 2-0 3-0"),
    "an engine that all draw for": Match(
        1, 3, {"engine_selection": "holder_all_draw", "first_round_starter": "random"}, SIX_SOON
    ),
    "the starter's engine": Match(0, 2, PENALTY | {"engine_selection": "starter_highest"}, "5-4 5-3 5-2 5-1 6-4 6-3"),
    "long first turns": Match(1, 4, LONG | {"engine_selection": "holder_or_next_lower"}, NO_SIX),
    "choices": Match(0, 4, CHOICES | {"engine_selection": "highest_held", "round_starter": "left_of_engine_holder"}),
}


@pytest.mark.parametrize("match", slow_after(0, MATCHES))
def test_no_caller_receives_a_tile_that_they_may_not_know(alice: Caller, bob: Caller, match: str) -> None:
    table = begun(MATCHES[match], alice, bob, visibility="public")
    viewers = [Viewer("Alice", alice, 0), Viewer("Bob", bob, 1), *watchers(alice)[: MATCHES[match].watchers]]
    rounds_played = None
    while (now := snapshot(table)).is_playing:
        if now.next_number % 4 == 2:
            look_at(table, viewers, BUSY_PAGES)
        if now.rounds_played != rounds_played:
            rounds_played = now.rounds_played
            look_at_all(table, viewers)
        one_move(table, viewers)
    look_at_all(table, viewers)
    assert rounds_played == 1
    assert_all_came_out(table, viewers)


def begun(match: Match, *persons: Caller, **fields: Any) -> dict[str, Any]:
    seats = len(persons) + match.machines
    options = SMALL | {"hand_sizes": {str(seats): match.tiles}} | match.options
    table = begin(*persons, bots=bots(*range(len(persons), seats)), options=options, **fields)
    if match.order:
        deal_again(table, match.order)
    return table


def test_the_played_matches_have_penalties_and_draws_for_the_engine(alice: Caller, bob: Caller) -> None:
    """Otherwise the matches would prove nothing about them."""
    table = begun(MATCHES["penalties"], alice, bob)
    viewers = [Viewer("Alice", alice, 0), Viewer("Bob", bob, 1)]
    for _ in range(2):
        one_move(table, viewers)
    assert list(MoveRow.objects.order_by("number").values_list("seat", "text")) == [(0, "6-5>0"), (1, "call 0")]
    for name, draws in (("an engine that all draw for", 3), ("the starter's engine", 3), ("long first turns", 0)):
        drawn = begun(MATCHES[name], alice, bob)
        played = Round.objects.get(table=drawn["id"], number=1)
        found = engine_found_in(played.table, len(snapshot(drawn).seats), played)
        assert (found.holder is not None, len(found.draws)) == (True, draws), name


def look_at_all(table: dict[str, Any], viewers: list[Viewer]) -> None:
    look_at(table, viewers)
    look_at_text(table, viewers)
    look_at_events(table, viewers)
    look_at_lists(table, viewers)
    try_wrong_moves(table, viewers)


def test_webhooks_contain_no_tile(alice: Caller, bob: Caller) -> None:
    """The messages to Alice's webhook, and the API's answers about them."""
    assert alice.player is not None
    webhook = addressbook.register(alice.player, "https://1.1.1.1/", ["your_turn", "table_finished"])
    table = begun(MATCHES["penalties"], alice, bob, name="Kitchen", turn_seconds=60)
    viewers = [Viewer("Alice", alice, 0), Viewer("Bob", bob, 1)]
    while snapshot(table).is_playing:
        one_move(table, viewers)
        secrets = secrets_of(table)
        for page in ("players/me/webhooks", f"players/me/webhooks/{webhook.id}"):
            check(viewers[0], alice.get(page), secrets)
    told = list(Delivery.objects.order_by("created_at"))
    assert {delivery.event for delivery in told} == {"your_turn", "table_finished"}
    for delivery in told:
        assert not NAMED.findall(delivery.body)
        assert json.loads(delivery.body)["data"].keys() <= PUBLIC_FACTS


def assert_all_came_out(table: dict[str, Any], viewers: list[Viewer]) -> None:
    """At the end every viewer has received all tiles, so the checked answers did contain tiles."""
    for viewer in viewers:
        received = "\n".join(viewer.received)
        for played in Round.objects.filter(table=table["id"]):
            assert bytes(played.secret).hex() in received
            assert all(tile in received for tile in played.order.split())


@pytest.mark.slow
def test_a_player_who_left_sees_only_the_hand_of_their_seat(alice: Caller, bob: Caller, cleo: Caller) -> None:
    """Bob leaves in the middle, and a bot plays on with his tiles; Cleo sat here until the match began."""
    options = SMALL | {"hand_sizes": {"2": 3, "3": 3}}
    table = open_table(alice, seats=3, options=options, visibility="public")
    join(table, bob, cleo)
    assert cleo.delete(f"tables/{table['id']}/seats/2").status == 204
    assert alice.put(f"tables/{table['id']}/seats/2/bot", {"level": "easy"}).status == 200
    start(table, alice)
    viewers = [Viewer("Alice", alice, 0), Viewer("Bob", bob, 1), Viewer("Cleo", cleo)]
    for _ in range(3):
        step(table)
    assert bob.delete(f"tables/{table['id']}/seats/1").status == 204
    while snapshot(table).is_playing:
        look_at(table, viewers, BUSY_PAGES)
        look_at_events(table, viewers)
        step(table)
    look_at_all(table, viewers)
    assert_all_came_out(table, viewers)


def test_before_the_deal_no_tile_is_sent(alice: Caller, bob: Caller) -> None:
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
    told = [str(event) for event in events_seen(table, viewer)]
    return pages_seen(table, viewer, (*PAGES, "/rules")) + [without_time(answer) for answer in refusals] + told


def pages_seen(table: dict[str, Any], viewer: Viewer, pages: Iterable[str]) -> list[str]:
    return [without_time(viewer.caller.get(f"tables/{table['id']}{page}")) for page in pages]


def without_time(answer: Answer) -> str:
    return SERVER_TIME.sub("", f"{sorted(answer.headers.items())} {answer.text}")


def refused_moves(now: State, viewer: Viewer) -> list[str]:
    """Moves that the viewer may not make. The seat to move gets a reason for each, so it tries many."""
    plays = [f"{tile}>{train}" for tile in tile_texts(double_set(6)) for train in ("0", "1", "mexican")]
    tried = [*WRONG_MOVES, *(Random(0).sample(plays, 20) if viewer.seat == now.turn else ())]
    return [move for move in tried if not is_legal(now, viewer.seat, move)]


def another_deal(table: dict[str, Any], seat: int | None, chance: Random) -> State:
    """Deal the running round anew, so that the seat could not tell: the same log is legal, hidden tiles differ.

    The same engine has to come from the same seat, after as many draws.
    """
    now = snapshot(table)
    assert now.round is not None
    assert now.state is not None
    played = Round.objects.get(pk=now.round.id)
    order = snapshots.tiles_from(now.round.order)
    hidden = hidden_from(now.state, seat)
    log = [parse_move(text) for text in now.round.moves]
    for _ in range(5000):
        other = swapped(order, hidden, chance)
        if engine_from(now.options, len(now.seats), played, other) != played.facts["engine"]:
            continue
        dealt = deal(now.options, len(now.seats), played.facts["engine"], now.round.facts["first_seat"], other)
        try:
            then = replay(dealt, log)
        except BrokenLog:
            continue
        if then != now.state and public_facts(then) == public_facts(now.state):
            hands = hands_dealt(now.options, len(now.seats), played.facts["engine"], other).hands
            put_order(now.round.id, other, [list(tiles_in(hand)) for hand in hands])
            return then
    raise AssertionError("No other deal has this log.")


def public_facts(now: State) -> tuple[Any, ...]:
    """What everybody at the table can count."""
    return now.turn, now.ended, now.trains, len(now.boneyard), [hand.bit_count() for hand in now.hands]


def hidden_from(now: State, seat: int | None) -> list[Tile]:
    hands = [hand for other, hand in enumerate(now.hands) if other != seat]
    return [*chain(*map(tiles_in, hands)), *now.boneyard]


def swapped(order: list[Tile], hidden: list[Tile], chance: Random) -> list[Tile]:
    """The order with the hidden tiles, or some of them, in each other's places."""
    some = chance.sample(hidden, chance.randint(2, len(hidden)))
    places = dict(zip(some, chance.sample(some, len(some)), strict=True))
    return [places.get(tile, tile) for tile in order]


HIDDEN = {
    "classic": Match(0, 7),
    "penalties": Match(0, 2, PENALTY, order="6-5 3-1 5-4 4-2 6-3 6-1 2-0 3-0"),
    "a held engine": Match(0, 4, {"engine_selection": "highest_held"} | PENALTY, "6-5 6-4 6-3 6-2 5-5 5-4 5-3 5-2"),
    "an engine that all draw for": Match(0, 2, {"engine_selection": "holder_all_draw"}, SIX_SOON),
    "the starter's engine": Match(0, 2, {"engine_selection": "starter_highest"}, "5-4 5-3 5-2 5-1 6-4 6-3 6-2 4-4"),
    "long first turns": Match(0, 5, LONG | CHOICES | {"engine_selection": "holder_or_next_lower"}),
}


@pytest.mark.parametrize(
    ("match", "moves", "seat"),
    slow_after(
        1,
        [
            *product(["classic"], [0, 4, 9], [0, 1, 2, None]),
            *product(sorted(HIDDEN.keys() - {"classic"}), [5], [0, 1, None]),
            *product(["a held engine", "an engine that all draw for", "the starter's engine"], [0], [2, None]),
        ],
    ),
)
def test_two_deals_that_differ_in_hidden_tiles_look_the_same(
    alice: Caller, bob: Caller, cleo: Caller, match: str, moves: int, seat: int | None
) -> None:
    table = begun(HIDDEN[match], alice, bob, cleo, auto_pass=True)
    seated = [Viewer(f"seat {number}", caller, number) for number, caller in enumerate((alice, bob, cleo))]
    viewer = Viewer("spectator", Caller()) if seat is None else seated[seat]
    for _ in range(moves):
        one_move(table, seated)
    check_nothing_tells_deals_apart(table, viewer)


def check_nothing_tells_deals_apart(table: dict[str, Any], viewer: Viewer) -> None:
    before, seen = state(table), all_that_is_seen(table, viewer)
    for chance in map(Random, range(2)):
        then = another_deal(table, viewer.seat, chance)
        assert state(table) == then != before
        assert viewer.seat is None or then.hands[viewer.seat] == before.hands[viewer.seat]
        assert set_of(hidden_from(then, viewer.seat)) == set_of(hidden_from(before, viewer.seat))
        assert pages_seen(table, viewer, BUSY_PAGES) == seen[: len(BUSY_PAGES)]
    assert all_that_is_seen(table, viewer) == seen
