"""The rules once more: a kitchen table that plays every option of §5 and chooses the engine in every way of §6.

Written from the rules' text alone, it shares nothing with the engine it is compared with: a tile is a pair of numbers,
a train a list of them, a move a short text, and the table changes as people play.
"""

from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any, Self

Pair = tuple[int, int]
Play = tuple[Pair, str]
Options = dict[str, Any]
MEXICAN = "mexican"


def pair(text: str) -> Pair:
    """The tile of a text such as 5-12, larger end first."""
    one, other = map(int, text.split("-"))
    return max(one, other), min(one, other)


def is_double(tile: Pair) -> bool:
    return tile[0] == tile[1]


def double_of(pip: int) -> Pair:
    return pip, pip


@dataclass(eq=False)
class Double:
    """A double that waits for its cover."""

    train: str
    layer: int
    pip: int


@dataclass
class Turn:
    """What a seat did since the turn came to it."""

    laid: int = 0
    drawn: int = 0  # since the last tile it laid
    has_laid_after_drawing: bool = False
    doubles: list[Double] = field(default_factory=list)
    goes_on: bool = False  # it covers one double after another


@dataclass
class Deal:
    """Hands and boneyard while the engine is looked for."""

    hands: list[list[Pair]]
    boneyard: list[Pair]
    first: int

    def draw(self, seat: int) -> None:
        """The front tile of the boneyard, if it has one."""
        self.hands[seat] += self.boneyard[:1]
        self.boneyard = self.boneyard[1:]

    def highest_of(self, pips: set[int], seats: list[int]) -> tuple[int, int] | None:
        """The highest of these doubles that one of these seats holds, and who holds it."""
        held = [(pip, seat) for pip in pips for seat in seats if double_of(pip) in self.hands[seat]]
        return max(held, default=None)

    def held(self, pips: set[int]) -> tuple[int, int] | None:
        return self.highest_of(pips, list(range(len(self.hands))))

    def all_draw(self, wanted: int) -> tuple[int, int]:
        """Everybody draws, lap after lap, until somebody has the double."""
        while (found := self.held({wanted})) is None:
            assert self.boneyard
            for number in range(len(self.hands)):
                self.draw((self.first + number) % len(self.hands))
        return found

    def turn_draw(self, pips: set[int]) -> tuple[int, int]:
        """One seat after another draws, until one of these doubles is held."""
        seat = self.first
        while (found := self.held(pips)) is None:
            assert self.boneyard
            self.draw(seat)
            seat = (seat + 1) % len(self.hands)
        return found

    def starter_highest(self, pips: set[int]) -> tuple[int, int]:
        """A seat without such a double draws one tile, and if that is none the next seat is the starter."""
        assert pips
        seat, has_drawn = self.first, False
        while (found := self.highest_of(pips, [seat])) is None:
            if has_drawn:
                seat = (seat + 1) % len(self.hands)
            else:
                self.draw(seat)
            has_drawn = not has_drawn
        return found

    def choose(self, how: str, wanted: int, unused: set[int]) -> tuple[int, int]:
        """The engine's pip, and the seat that lays it."""
        if how == "holder_all_draw":
            return self.all_draw(wanted)
        if how == "holder_turn_draw":
            return self.turn_draw({wanted})
        if how == "starter_highest":
            return self.starter_highest(unused)
        if how == "holder_or_next_lower" and (found := self.held({pip for pip in unused if pip <= wanted})):
            return found
        return self.turn_draw(unused)


@dataclass
class Book:
    """A round, kept by the book."""

    options: Options
    seats: int
    engine: int
    starter: int
    turn: int
    hands: list[list[Pair]]
    boneyard: list[Pair]
    trains: dict[str, list[Pair]] = field(default_factory=dict)
    ends: dict[str, int] = field(default_factory=dict)
    marked: set[str] = field(default_factory=set)
    doubles: list[Double] = field(default_factory=list)  # the open ones, oldest first
    had_first_turn: set[int] = field(default_factory=set)
    played_on_own: set[int] = field(default_factory=set)
    passed: set[int] = field(default_factory=set)  # since the last tile was laid
    announced: set[int] = field(default_factory=set)
    this_turn: Turn = field(default_factory=Turn)
    first_out: int | None = None  # while the others finish their first lap
    exposed: int | None = None
    ended: str | None = None
    out: int | None = None

    def __post_init__(self) -> None:
        for name in [*map(str, range(self.seats)), MEXICAN]:
            self.trains.setdefault(name, [])
            self.ends.setdefault(name, self.engine)

    @classmethod
    def dealt(cls, options: Options, seats: int, first: int, wanted: int, used: set[int], order: list[Pair]) -> Self:
        """A round dealt from the shuffled set, with its engine laid."""
        tiles, how = list(order), options["engine_selection"]
        if how == "set_aside":
            tiles.remove(double_of(wanted))
        each = {int(players): size for players, size in options["hand_sizes"].items()}[seats]
        hands = [tiles[seat * each : (seat + 1) * each] for seat in range(seats)]
        deal = Deal(hands, tiles[seats * each :], first)
        if how == "set_aside":
            return cls(options, seats, wanted, first, first, hands, deal.boneyard)
        engine, holder = deal.choose(how, wanted, set(range(options["set_max_pip"] + 1)) - used)
        hands[holder].remove(double_of(engine))
        begins = options["round_starter"]
        if how == "starter_highest" and begins != "left_of_engine_holder":
            begins = "engine_holder"  # the seat that lays the engine has become the starter
        starter = cls.starter_of(begins, first, holder, seats)
        return cls(options, seats, engine, starter, starter, hands, deal.boneyard)

    @staticmethod
    def starter_of(how: str, first: int, holder: int, seats: int) -> int:
        if how == "engine_holder":
            return holder
        return (holder + 1) % seats if how == "left_of_engine_holder" else first

    @classmethod
    def placed(cls, options: Options, seats: int, position: dict[str, Any]) -> Self:
        """A table as a scenario sets it up."""
        engine, turn = pair(position["engine"])[0], position["turn"]
        hands = [[pair(text) for text in position["hands"].get(str(seat), [])] for seat in range(seats)]
        book = cls(options, seats, engine, turn, turn, hands, [pair(text) for text in position["boneyard"]])
        for name, laid in position["trains"].items():
            book.trains[name] = [pair(text) for text in laid]
            book.ends[name] = int(laid[-1].split("-")[1]) if laid else engine
        book.marked = set(position["marked"])
        for each in position.get("open_doubles", []):
            book.doubles.append(Double(each["train"], each["layer"], book.ends[each["train"]]))
        book.had_first_turn = set(position.get("first_turn_done", range(seats)))
        book.played_on_own = {seat for seat in range(seats) if book.trains[str(seat)]}
        return book

    def may_use_mexican(self, seat: int) -> bool:
        """Whether there is a Mexican Train, or this seat may start it."""
        when = self.options["mexican_start"]
        if when == "second_turn":
            may_start = seat in self.had_first_turn
        elif when == "all_trains_started":
            may_start = all(self.trains[str(each)] for each in range(self.seats))
        else:
            may_start = when == "any_turn"
        return may_start or bool(self.trains[MEXICAN])

    def is_public(self, owner: int) -> bool:
        """Whether others may play on a seat's train."""
        privacy, name = self.options["train_privacy"], str(owner)
        if not self.trains[name] and not self.options["open_empty_train_playable"]:
            return False
        until_own_play = privacy == "public_until_own_play" and owner not in self.played_on_own
        return name in self.marked or privacy == "always_public" or until_own_play

    def available(self, seat: int) -> set[str]:
        """The trains a seat may play on while no double binds it."""
        own = str(seat)
        needs_own = [] if self.trains[own] else self.options["own_train_required_for"]
        trains = {own}
        where = self.options["first_turn_trains"]
        if where == "own_until_all_started" and not all(self.trains[str(each)] for each in range(self.seats)):
            return trains
        if self.may_use_mexican(seat) and "mexican" not in needs_own:
            trains.add(MEXICAN)
        if "open_trains" not in needs_own:
            trains |= {str(other) for other in range(self.seats) if other != seat and self.is_public(other)}
        if seat in self.had_first_turn:
            return trains
        return trains & {"own_only": {own}, "own_or_mexican": {own, MEXICAN}}.get(where, trains)

    @property
    def open_doubles(self) -> list[tuple[str, int]]:
        """Train and layer of every open double; those of a long first turn count when it is over."""
        hidden = self.this_turn.doubles if self.is_long_turn() else []
        return [(each.train, each.layer) for each in self.doubles if each not in hidden]

    def is_long_turn(self) -> bool:
        """Whether the seat to move may lay tile after tile."""
        return self.options["first_turn_length"] == "unlimited" and self.turn not in self.had_first_turn

    def binding(self, seat: int) -> list[Double]:
        """The doubles of earlier turns that bind a seat whose turn it is, or would be."""
        if self.options["first_turn_double"] == "deferred" and len(self.had_first_turn) < self.seats:
            return []
        earlier = [each for each in self.doubles if each not in self.this_turn.doubles]
        match self.options["double_obligation"]:
            case "table":
                return earlier
            case "one_lap":
                return [each for each in earlier if each.layer != seat]
            case "layer_only":
                return [each for each in earlier if each.layer == seat]
        return []

    def to_cover(self, seat: int) -> list[Double]:
        """The doubles of which a seat must cover one before anything else."""
        bound = self.binding(seat)
        if self.this_turn.goes_on:
            bound += self.this_turn.doubles
        return [each for each in self.doubles if each in bound]

    def target(self, seat: int) -> Double | None:
        """The double a seat must cover now."""
        doubles = self.to_cover(seat)
        if not doubles:
            return None
        return doubles[0] if self.options["double_close_order"] == "in_order" else doubles[-1]

    def must_start_own(self, seat: int) -> bool:
        """Whether a bound seat starts its own train instead of covering."""
        return "covering" in self.options["own_train_required_for"] and not self.trains[str(seat)]

    def is_dead(self, double: Double) -> bool:
        """Whether every tile with its pip lies on the table."""
        laid = [tile for train in self.trains.values() for tile in train] + [double_of(self.engine)]
        highest: int = self.options["set_max_pip"]
        return len([tile for tile in laid if double.pip in tile]) == highest + 1

    def fitting(self, tiles: list[Pair], trains: set[str]) -> set[Play]:
        return {(tile, train) for tile in tiles for train in trains if self.ends[train] in tile}

    def plays(self, seat: int) -> set[Play]:
        """Every tile of a seat on every train where it may go now."""
        hand, target = self.hands[seat], self.target(seat)
        if target:
            return self.fitting(hand, {str(seat) if self.must_start_own(seat) else target.train})
        if self.this_turn.doubles and not self.is_long_turn():
            return self.follow_ups(seat)
        return self.fitting(hand, self.available(seat))

    def follow_ups(self, seat: int) -> set[Play]:
        """What may come after a double laid in this turn."""
        laid, hand, limit = self.this_turn.doubles, self.hands[seat], self.options["doubles_per_turn"]
        plays = self.fitting([tile for tile in hand if not is_double(tile)], self.follow_up_trains(seat))
        if limit is not None and len(laid) >= limit:
            return plays
        free = self.available(seat) - {each.train for each in self.doubles}
        return plays | self.fitting([tile for tile in hand if is_double(tile)], free)

    def follow_up_trains(self, seat: int) -> set[str]:
        """Where a tile that is no double may go after one or more doubles."""
        laid = self.this_turn.doubles
        still_open = [each.train for each in laid if each in self.doubles]
        how = self.options["double_follow_up" if len(laid) == 1 else "chain_follow_up"]
        if how == "anywhere" or not still_open:
            return {*still_open, *self.available(seat)}
        if how == "first_double":
            return {still_open[0]}
        return {still_open[-1]} if how == "last_double" else set(still_open)

    def may_draw(self, is_able: bool) -> bool:
        """Once, or again while stuck where one draws until a tile can be played."""
        if not self.boneyard or (self.options["draw_scope"] == "per_turn" and self.this_turn.has_laid_after_drawing):
            return False
        rule = self.options["draw_rule"]
        is_unstarted = not self.trains[str(self.turn)]
        goes_on = rule == "until_playable" or (rule == "until_playable_if_unstarted" and is_unstarted)
        return not self.this_turn.drawn or (goes_on and not is_able)

    def other_moves(self, is_able: bool) -> set[str]:
        """Whether the seat to move may draw, pass or end."""
        if self.is_long_turn() and self.this_turn.laid:
            return {"end"}
        if not is_able or not self.options["must_play"]:
            return {"draw"} if self.may_draw(is_able) else {"pass"}
        return {"pass"} if self.options["drawn_tile"] == "may" and self.this_turn.drawn else set()

    def may_announce(self, is_able: bool) -> bool:
        left = len(self.hands[self.turn])
        is_last = left == 1 or (left == 2 and is_able)
        return self.options["announce"] == "penalty" and is_last and self.turn not in self.announced

    def may_keep_marker(self, train: str) -> bool:
        is_optional = self.options["marker_clear"] == "optional_own_play"
        return is_optional and train == str(self.turn) and train in self.marked

    def calls(self, seat: int) -> set[str]:
        """What a seat may do out of turn."""
        return set() if self.ended or self.exposed in {None, seat} else {f"call {self.exposed}"}

    def legal(self) -> set[str]:
        """Everything the seat to move may do."""
        if self.ended:
            return set()
        plays = self.plays(self.turn)
        moves = {f"{high}-{low}>{train}" for (high, low), train in plays}
        moves |= {f"{high}-{low}>{train} keep" for (high, low), train in plays if self.may_keep_marker(train)}
        moves |= self.other_moves(bool(plays)) | self.calls(self.turn)
        return moves | {"announce"} if self.may_announce(bool(plays)) else moves

    def make(self, text: str) -> None:
        """A move of the seat to move, or anybody's call."""
        calls = {call for seat in range(self.seats) for call in self.calls(seat)}
        if text not in self.legal() | calls:
            raise ValueError(text)
        word, *keep = text.split()
        match word:
            case "draw":
                self.take(self.turn, 1)
                self.this_turn.drawn += 1
            case "pass":
                self.give_up()
            case "end":
                self.end_turn()
            case "announce":
                self.announced.add(self.turn)
            case "call":
                self.catch()
            case _:
                tile, train = word.split(">")
                self.lay(pair(tile), train, keeps_marker=bool(keep))

    def take(self, seat: int, tiles: int) -> None:
        """Tiles from the front of the boneyard, as far as it goes."""
        self.hands[seat] += self.boneyard[:tiles]
        self.boneyard = self.boneyard[tiles:]

    def catch(self) -> None:
        """The seat that forgot to announce draws."""
        assert self.exposed is not None
        self.take(self.exposed, self.options["announce_penalty_tiles"])
        self.announced.discard(self.exposed)
        self.exposed = None

    def lay(self, tile: Pair, train: str, *, keeps_marker: bool) -> None:
        """A tile joins a train, and the turn may be over."""
        seat, (one, other) = self.turn, tile
        self.hands[seat].remove(tile)
        self.trains[train].append(tile)
        self.ends[train] = other if self.ends[train] == one else one
        if train == str(seat):
            self.played_on_own.add(seat)
        if (train == str(seat) or self.options["marker_clear"] == "any_play") and not keeps_marker:
            self.marked.discard(str(seat))
        self.passed.clear()
        self.this_turn.has_laid_after_drawing |= self.this_turn.drawn > 0
        self.this_turn.laid += 1
        self.this_turn.drawn = 0
        has_covered = self.cover(tile, train)
        if self.is_turn_over(tile, has_covered=has_covered):
            self.end_turn()
        else:
            self.look_who_is_out(seat)

    def cover(self, tile: Pair, train: str) -> bool:
        """Open doubles come and go with a tile; says whether it covers one."""
        before = len(self.doubles)
        self.doubles = [each for each in self.doubles if each.train != train]
        has_covered = len(self.doubles) < before
        if is_double(tile) and self.options["double_follow_up"] != "none":
            double = Double(train, self.turn, tile[0])
            self.doubles.append(double)
            self.this_turn.doubles.append(double)
        if self.options["dead_double"] == "lifts":
            self.doubles = [each for each in self.doubles if not self.is_dead(each)]
        return has_covered

    def is_turn_over(self, tile: Pair, *, has_covered: bool) -> bool:
        """Whether the tile just laid was the last of its turn."""
        if self.is_long_turn():
            return not self.hands[self.turn]
        if self.is_out(self.turn):
            return True
        if is_double(tile) and self.options["double_follow_up"] != "none":
            return not self.asks_follow_up()
        self.this_turn.goes_on = has_covered and self.options["cover_continues"]
        return not (self.this_turn.goes_on and self.to_cover(self.turn))

    def asks_follow_up(self) -> bool:
        """Whether the double just laid asks for a tile: a dead one that had to be covered does not."""
        laid = self.this_turn.doubles
        is_first_or_last = len(laid) == 1 or self.options["chain_follow_up"] == "last_double"
        return laid[-1] in self.doubles or not (self.options["double_follow_up"] == "cover" and is_first_or_last)

    def give_up(self) -> None:
        """A pass, and the marker it brings."""
        seat = self.turn
        is_exempt = (
            (self.options["marker_on_fail"] == "if_nothing_played" and self.this_turn.laid > 0)
            or (not self.options["marker_on_empty_boneyard"] and not self.boneyard)
            or (self.options["cover_fail_marker"] == "layer_exempt" and self.fails_own_double(seat))
        )
        if not is_exempt:
            self.marked.add(str(seat))
        self.passed.add(seat)
        self.end_turn(has_passed=True)

    def fails_own_double(self, seat: int) -> bool:
        """Whether a seat is asked for a tile after a double that it laid itself."""
        target = self.target(seat)
        if target:
            return target.layer == seat and not self.must_start_own(seat)
        return bool(self.this_turn.doubles)

    def end_turn(self, *, has_passed: bool = False) -> None:
        """The turn goes on to the next seat, unless the round is over."""
        mover = self.turn
        self.close_turn()
        self.look_who_is_out(mover)
        if self.ended:
            return
        self.turn, self.this_turn = (mover + 1) % self.seats, Turn()
        if self.options["double_obligation"] == "one_lap":
            self.doubles = [each for each in self.doubles if each.layer != self.turn]
        self.look_who_is_out(mover)
        if has_passed and self.first_out is None and self.is_blocked():
            self.end_round("blocked")

    def close_turn(self) -> None:
        """What a turn leaves behind."""
        seat = self.turn
        is_last_tile = len(self.hands[seat]) == 1
        self.had_first_turn.add(seat)
        if self.options["double_obligation"] == "none":
            self.doubles.clear()
        if not is_last_tile:
            self.announced.discard(seat)
        has_forgotten = self.options["announce"] == "penalty" and is_last_tile and seat not in self.announced
        self.exposed = seat if has_forgotten else None

    def is_out(self, seat: int) -> bool:
        """Whether a seat has no tile left, and no double of its own to be covered where that counts."""
        has_open = any(each.layer == seat for each in self.doubles)
        return not self.hands[seat] and (self.options["finish_on_double"] == "ends_round" or not has_open)

    def look_who_is_out(self, mover: int) -> None:
        """The first seat that is out ends the round, at once or when everybody has had a first turn."""
        for number in range(self.seats):
            seat = (mover + number) % self.seats
            if self.first_out is None and self.is_out(seat):
                self.first_out = seat
        is_lap_over = self.options["first_turn_out"] == "immediate" or len(self.had_first_turn) == self.seats
        if self.first_out is not None and is_lap_over:
            self.out = self.first_out
            self.end_round("out")

    def is_blocked(self) -> bool:
        """Whether the round is blocked."""
        if self.boneyard:
            return False
        how = self.options["blocked_detection"]
        if how != "no_move" and len(self.passed) < self.seats:
            return False
        return how == "pass_lap" or self.is_stuck_for_good()

    def is_stuck_for_good(self) -> bool:
        """Whether two more laps of passes would let nobody lay a tile, nor bring anybody out."""
        imagined = deepcopy(self)
        imagined.options = self.options | {"blocked_detection": "pass_lap"}
        for _ in range(2 * self.seats):
            imagined.passed = set()  # or the imagined passes would end the round
            if imagined.plays(imagined.turn):
                return False
            imagined.give_up()
            if imagined.first_out is not None:
                return False
        return True

    def end_round(self, how: str) -> None:
        self.ended, self.exposed = how, None

    def value(self, tile: Pair) -> int:
        """The points of a tile left in a hand."""
        if tile == (0, 0):
            return int(self.options["double_blank_points"])
        blanks = self.options["blank_half_points"] if 0 in tile else 0
        return int((sum(tile) + blanks) * (self.options["double_factor"] if is_double(tile) else 1))

    def points(self) -> list[int]:
        """The points of every seat, as its hand is now."""
        points = [sum(map(self.value, hand)) for hand in self.hands]
        if self.out is not None:
            points[self.out] += self.options["going_out_points"]
        if self.ended == "blocked" and self.options["blocked_lowest_zero"]:
            points = [0 if each == min(points) else each for each in points]
        return points
