"""A second game, block dominoes, is played to the end of a match without a line in ``tables`` that knows it."""

from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from typing import Any, ClassVar, NamedTuple

import pytest
from django.test import Client

from rules import errors
from rules.errors import IllegalMove, NotForSeats, UnreadableText
from rules.game import Chance, Deal, Ended, EndedRound, Facts, Game, Guard, Level, totals
from rules.games import GAMES
from rules.sentences import Sentence
from rules.tiles import Tile, parse_tile, set_of, tile_text, tiles_in
from tables import audit, play, schedule, tasks
from tables.models import Table
from tables.presenters.game import GamePresenter
from tables.presenters.games import PRESENTERS
from tests.cast import Answer, Caller, read

TARGET = 100


class Reason(errors.Reason):
    CANNOT = "cannot"

    @property
    def sentence(self) -> str:
        return "This seat cannot make this move."


class Rules(NamedTuple):
    highest_pip: int = 6

    def as_dict(self) -> dict[str, Any]:
        return {}


class Line(NamedTuple):
    """One line of tiles with two ends. ``passes`` counts the passes since the last tile."""

    hands: tuple[int, ...]
    turn: int
    ends: tuple[int, ...] = ()
    passes: int = 0
    boneyard: tuple[Tile, ...] = ()

    @property
    def out(self) -> int | None:
        return self.hands.index(0) if 0 in self.hands else None

    @property
    def ended(self) -> Ended | None:
        if self.out is not None:
            return Ended.OUT
        return Ended.BLOCKED if self.passes == len(self.hands) else None

    def legal(self) -> tuple[str, ...]:
        if self.ended:
            return ()
        places = enumerate(self.ends, 1) if self.ends else [(0, None)]
        fits = [(tile, arm) for arm, end in places for tile in tiles_in(self.hands[self.turn]) if joins(tile, end)]
        return tuple(f"{tile_text(tile)}>{arm}" for tile, arm in fits) or ("pass",)


def joins(tile: Tile, end: int | None) -> bool:
    return end is None or end in (tile.high, tile.low)


class Seen(NamedTuple):
    turn: int
    hand: int
    hand_counts: tuple[int, ...]
    legal_moves: tuple[str, ...]
    ended: Ended | None
    ends: tuple[int, ...]
    phase: str = "play"
    hands: tuple[int, ...] | None = None
    boneyard_count: int = 0


class BlockDominoes(Game[Rules, Line, str, Seen]):
    name, version, seats = "block_dominoes", 1, range(2, 5)
    presets: ClassVar[Mapping[str, str]] = {"block": "Block dominoes"}
    levels: ClassVar[Mapping[str, Level]] = {}
    option_names, phases, reasons, move_types = (), ("play",), tuple(Reason), ("play", "pass")

    def options_of(self, preset: str, overrides: Mapping[str, object]) -> Rules:
        for option, value in overrides.items():
            self.read_option(option, value)
        return Rules()

    def stored_options(self, stored: Mapping[str, Any]) -> Rules:
        return Rules()

    def hand_size(self, options: Rules, seats: int) -> int:
        if seats not in self.seats:
            raise NotForSeats(Sentence("too many."))
        return 7 if seats == 2 else 5

    def dealt(self, options: Rules, seats: int, order: Sequence[Tile], facts: Facts) -> Line:
        size = self.hand_size(options, seats)
        hands = (set_of(order[seat * size : (seat + 1) * size]) for seat in range(seats))
        return Line(tuple(hands), facts["first_seat"])

    def deal(
        self, options: Rules, seats: int, order: Sequence[Tile], earlier: Sequence[EndedRound], lot: Callable[[], int]
    ) -> Deal[Line]:
        facts = {"first_seat": (earlier[-1].facts["first_seat"] + 1) % seats if earlier else lot()}
        state = self.dealt(options, seats, order, facts)
        return Deal(facts, state.hands, state)

    def round_count(self, options: Rules) -> None:
        return None

    def is_over(self, options: Rules, points_by_round: Sequence[Sequence[int]]) -> bool:
        return max(totals(points_by_round, len(points_by_round[0]))) >= TARGET

    def round_points(self, state: Line) -> tuple[int, ...]:
        pips = [sum(tile.pips for tile in tiles_in(hand)) for hand in state.hands]
        winner = pips.index(min(pips))
        return tuple(sum(pips) - pips[winner] if seat == winner else 0 for seat in range(len(pips)))

    def winners(self, options: Rules, points_by_round: Sequence[Sequence[int]], may_win: Sequence[bool]) -> list[int]:
        most = max(total for total, may in zip(totals(points_by_round, len(may_win)), may_win, strict=True) if may)
        return [seat for seat, total in enumerate(totals(points_by_round, len(may_win))) if total == most]

    def parse(self, text: str) -> str:
        if text != "pass" and not text.partition(">")[2].isdigit():
            raise UnreadableText(Sentence("This is not a move."))
        return text

    def text(self, move: str) -> str:
        return move

    def type_of(self, move: str) -> str:
        return "pass" if move == "pass" else "play"

    def apply(self, state: Line, move: str) -> Line:
        if move not in state.legal():
            raise IllegalMove(Reason.CANNOT)
        turn = (state.turn + 1) % len(state.hands)
        if move == "pass":
            return state._replace(turn=turn, passes=state.passes + 1)
        text, _, arm = move.partition(">")
        tile = parse_tile(text)
        ends = [tile.high, tile.low] if arm == "0" else list(state.ends)
        if arm != "0":
            ends[int(arm) - 1] = tile.other_end(ends[int(arm) - 1])
        hands = [hand & ~tile.bit if seat == state.turn else hand for seat, hand in enumerate(state.hands)]
        return Line(tuple(hands), turn, tuple(ends))

    def clocks_move(self, state: Line) -> str:
        return state.legal()[0]

    def view(self, state: Line, seat: int | None) -> Seen:
        hand, legal = (0, ()) if seat is None else (state.hands[seat], state.legal() if seat == state.turn else ())
        return Seen(state.turn, hand, tuple(map(int.bit_count, state.hands)), legal, state.ended, state.ends)

    def choose(self, level: str, view: Seen, chance: Chance, guard: Guard) -> str:
        return view.legal_moves[chance(len(view.legal_moves))]


class Ends(GamePresenter):
    def present_view(self, view: Any) -> dict[str, Any]:
        return super().present_view(view) | {"ends": view.ends if view else []}


def ask(caller: Caller, method: str, path: str, body: Any = None, **headers: str) -> Answer:
    """Without the check against the schema, which does not describe this game."""
    given = {"Authorization": f"Bearer {caller.token}", **headers}
    content = {} if body is None else {"data": body, "content_type": "application/json"}
    call: Any = getattr(Client(headers=given), method)
    return read(call(f"/api/v1/{path}", **content))


@pytest.fixture
def table(monkeypatch: pytest.MonkeyPatch, alice: Caller, bob: Caller) -> str:
    """A match of two persons and a bot, begun over HTTP."""
    monkeypatch.setitem(GAMES, ("block_dominoes", 1), BlockDominoes())
    monkeypatch.setitem(PRESENTERS, "block_dominoes", Ends())
    wanted = {"preset": "block", "seats": 3, "bots": [{"seat": 2, "level": "easy"}], "turn_seconds": 60}
    opened = ask(alice, "post", "tables", wanted)
    assert (opened.status, opened.body["preset"]) == (201, "block"), opened.body
    path = f"tables/{opened.body['id']}"
    assert ask(bob, "post", "tables/join", {"invite": opened.body["invite"]["code"]}).status == 200
    assert ask(alice, "post", f"{path}/start").status == 200
    return path


def position(table: str, caller: Caller) -> dict[str, Any]:
    shown: dict[str, Any] = ask(caller, "get", f"{table}/position").body
    return shown


def make_move(table: str, *persons: Caller) -> dict[str, Any]:
    """Whoever is to move moves: a person over HTTP, a bot by its task."""
    now = position(table, persons[0])
    mover, number = now["turn"]["seat"], now["next_number"]
    if mover >= len(persons) or now["seats"][mover]["away"]:
        assert tasks.take_turn(table.removeprefix("tables/"), number)
    else:
        wanted = position(table, persons[mover])["you"]["legal_moves"][0]["move"]
        made = ask(persons[mover], "post", f"{table}/moves", {"move": wanted, "number": number})
        assert (made.status, made.body["move"]) == (201, wanted)
    return position(table, persons[0])


def test_a_match_is_played_to_its_end(table: str, alice: Caller, bob: Caller) -> None:
    while position(table, alice)["turn"] is not None:
        make_move(table, alice, bob)
    shown, rounds = ask(alice, "get", table).body, ask(alice, "get", f"{table}/rounds").body
    best = max(seat["total"] for seat in shown["seats"])
    assert (shown["status"], best >= TARGET, len(rounds)) == ("finished", True, shown["rounds_played"])
    assert shown["winners"] == [seat["seat"] for seat in shown["seats"] if seat["total"] == best]
    assert rounds[-1]["totals"] == [seat["total"] for seat in shown["seats"]]
    rows = audit.read(Table.objects.get().pk)
    assert rows is not None
    assert audit.first_difference(rows) is None


def test_what_can_be_read(table: str, alice: Caller, bob: Caller) -> None:
    while position(table, alice)["turn"]["seat"] != 0:
        make_move(table, alice, bob)
    for call in ("explain", "hint", "position?said=true"):
        assert ask(alice, "get", f"{table}/{call}").status == 200, call
    while position(table, alice)["round"]["number"] == 1:
        now = make_move(table, alice, bob)
    assert (now["round"]["engine"], now["trains"], now["round"]["of"]) == (None, [], None)
    for call in ("rounds/1", "rounds/1/deal", "positions/1", "moves", "position?said=true"):
        assert ask(alice, "get", f"{table}/{call}").status == 200, call
    for call in ("record", "rules", "board.svg", "positions/1/board.svg"):
        assert ask(alice, "get", f"{table}/{call}").status == 404, call
    assert "Your tiles:" in ask(alice, "get", f"{table}/position", Accept="text/plain").text
    assert ask(alice, "get", "rules/presets/block").body["seats"] == [2, 3, 4]


def test_what_is_refused(table: str, alice: Caller, bob: Caller) -> None:
    while position(table, alice)["turn"]["seat"] != 0:
        make_move(table, alice, bob)
    number = position(table, alice)["next_number"]
    held = position(table, alice)["you"]["tiles"]
    other = next(f"{high}-{low}>0" for high in range(7) for low in range(high + 1) if f"{high}-{low}" not in held)
    refused = ask(alice, "post", f"{table}/moves", {"move": other, "number": number})
    assert (refused.status, refused.body["reason"]) == (422, "cannot")
    assert ask(alice, "post", f"{table}/moves", {"move": "draw", "number": number}).status == 400
    kept = {"move": other, "number": number, "keep_marker": True}
    assert ask(alice, "post", f"{table}/moves", kept).status == 400
    assert ask(alice, "post", "tables", {"preset": "block", "seats": 8}).status == 400
    assert ask(alice, "post", "tables", {"preset": "block", "options": {"rounds": 2}}).status == 400


def test_the_clock_moves_for_a_seat_that_is_too_slow(table: str, alice: Caller, bob: Caller) -> None:
    while position(table, alice)["turn"]["seat"] == 2:
        make_move(table, alice, bob)
    row = Table.objects.get()
    assert row.deadline is not None
    assert play.time_out(row.pk, row.next_number, row.deadline + schedule.GRACE + timedelta(seconds=1))
    last = position(table, alice)["last_move"]
    assert (last["seat"], last["by"]) == (row.turn, "timeout")


def test_a_bot_plays_for_a_player_who_has_left(table: str, alice: Caller, bob: Caller) -> None:
    assert ask(bob, "delete", f"{table}/seats/1").status == 204
    while position(table, alice)["turn"] is not None:
        make_move(table, alice, bob)
    assert ask(alice, "get", table).body["status"] == "finished"
