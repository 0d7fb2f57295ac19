"""Replays the log of a match, round by round, and finds its first fault.

The audit of tables and the check of records use this. Each has its own sentences for the faults.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rules.errors import IllegalMove, RulesError
from rules.game import AnyGame, AnyOptions, AnyState, Deal, EndedRound, totals
from rules.shuffling import commitment_to
from rules.tiles import Tile, double_set


@dataclass(frozen=True, slots=True)
class Entry:
    """A move in the log. ``number`` is ``None`` if the log does not number its moves."""

    seat: int
    move: Any
    number: int | None = None


@dataclass(frozen=True, slots=True)
class LoggedRound:
    """A round in the log. The order and the entries define the round.

    ``stated`` are facts that the log repeats although they follow from these, by name: ``commitment``, the facts of the
    deal, and at the end ``ended``, ``out``, ``points`` and ``totals``. Without a ``secret`` the order cannot be
    verified. ``is_over`` is whether the log says that the round was played to its end.
    """

    order: Sequence[Tile]
    entries: Iterable[Entry]
    stated: Mapping[str, object]
    secret: bytes = b""
    client_seeds: Sequence[str] = ()
    is_over: bool = True


@dataclass(frozen=True, slots=True)
class ReplayedRound:
    """A round that follows the rules. ``points`` is ``None`` while the round is on the table."""

    deal: Deal[AnyState]
    state: AnyState
    points: tuple[int, ...] | None


class LogFault(RulesError):
    """The first fault of a log. ``at`` is the index of the entry in its round, ``number`` its number in the log."""

    at: int | None = None
    number: int | None = None


class WrongFact(LogFault):
    """The log states another fact than the rules derive. ``expected`` is ``None`` if no value would be right."""

    def __init__(self, fact: str, stated: object, expected: object) -> None:
        super().__init__(fact, stated, expected)
        self.fact, self.stated, self.expected = fact, stated, expected


class WrongTiles(LogFault):
    """The order does not contain each tile of the set once. ``whole`` is the set."""

    def __init__(self, whole: Sequence[Tile]) -> None:
        super().__init__(whole)
        self.whole = whole


class WrongOrder(LogFault):
    """The secret and the client seeds give another order. ``expected`` is that order."""

    def __init__(self, expected: Sequence[Tile]) -> None:
        super().__init__(expected)
        self.expected = expected


class NoTable(LogFault):
    """A secret was given, but no table id, without which the order cannot be verified."""


class CannotMake(LogFault):
    """A seat that can never make this move out of turn has made it."""

    def __init__(self, seat: int) -> None:
        super().__init__(seat)
        self.seat = seat


class NotLegal(LogFault):
    """A move that is illegal in ``state``. ``refusal`` has the reason."""

    def __init__(self, state: AnyState, refusal: IllegalMove) -> None:
        super().__init__(state, refusal)
        self.state, self.refusal = state, refusal


class NotOver(LogFault):
    """The entries do not end a round that the log calls over. ``turn`` is the seat to move."""

    def __init__(self, turn: int, number: int) -> None:
        super().__init__(turn, number)
        self.turn, self.number = turn, number


class IsOver(LogFault):
    """The entries end a round that the log calls unfinished."""

    def __init__(self, ended: str) -> None:
        super().__init__(ended)
        self.ended = ended


@dataclass(slots=True)
class Replay:
    """A replay of one match, as far as it has come. ``number`` is the number of the next entry.

    ``table`` is the id of the table that dealt the rounds; ``None`` if the log does not name it.
    """

    rules: AnyGame
    options: AnyOptions
    seats: int
    table: str | None
    ended: list[EndedRound] = field(default_factory=list)
    number: int = 1

    @property
    def points(self) -> list[Sequence[int]]:
        return [each.points for each in self.ended]

    @property
    def totals(self) -> tuple[int, ...]:
        return totals(self.points, self.seats)

    def play(self, logged: LoggedRound) -> ReplayedRound:
        """Play the next round. Raises ``LogFault`` at the first fault."""
        self.check_order(logged)
        deal = self.rules.deal(self.options, self.seats, logged.order, self.ended, self.lot(logged))
        for name, value in deal.facts.items():
            expect(logged, name, value)
        state = self.play_entries(logged, deal.state)
        return ReplayedRound(deal, state, self.end(logged, deal, state) if logged.is_over else None)

    def check_order(self, logged: LoggedRound) -> None:
        whole = double_set(self.options.highest_pip)
        if sorted(logged.order) != list(whole):
            raise WrongTiles(whole)
        if not logged.secret:
            return
        expect(logged, "commitment", commitment_to(logged.secret))
        expected = self.shuffled(logged)
        if list(logged.order) != expected:
            raise WrongOrder(expected)

    def shuffled(self, logged: LoggedRound) -> list[Tile]:
        """The order of the next round that follows from its secret."""
        return self.rules.shuffled(self.options, *self.inputs(logged))

    def inputs(self, logged: LoggedRound) -> tuple[bytes, str, int, Sequence[str]]:
        if self.table is None:
            raise NoTable
        return logged.secret, self.table, len(self.ended) + 1, logged.client_seeds

    def lot(self, logged: LoggedRound) -> Callable[[], int]:
        """The function that gives the first seat if it is drawn by lot.

        It draws the seat from the secret. Without a secret it is the seat that the log states, by default 0.
        """

        def drawn() -> int:
            if logged.secret:
                return self.rules.drawn_seat(*self.inputs(logged))
            first = logged.stated.get("first_seat", 0)
            if not isinstance(first, int) or first not in range(self.seats):
                raise WrongFact("first_seat", first, None)
            return first

        return drawn

    def play_entries(self, logged: LoggedRound, state: AnyState) -> AnyState:
        """The state after all entries of a round."""
        for at, entry in enumerate(logged.entries):
            try:
                state = self.after(state, entry)
            except LogFault as fault:
                fault.at, fault.number = at, self.number
                raise
            self.number += 1
        if logged.is_over and state.ended is None:
            raise NotOver(state.turn, self.number)
        if not logged.is_over and state.ended is not None:
            raise IsOver(state.ended)
        return state

    def after(self, state: AnyState, entry: Entry) -> AnyState:
        """The state after an entry, which the seat to move must have made, unless the move is made out of turn."""
        if entry.number not in (None, self.number):
            raise WrongFact("number", entry.number, self.number)
        if self.rules.is_out_of_turn(entry.move):
            if entry.seat >= self.seats or not self.rules.may_make(entry.move, entry.seat):
                raise CannotMake(entry.seat)
        elif state.ended is None and entry.seat != state.turn:
            raise WrongFact("seat", entry.seat, state.turn)
        try:
            later: AnyState = self.rules.apply(state, entry.move)
        except IllegalMove as refusal:
            raise NotLegal(state, refusal) from refusal
        return later

    def end(self, logged: LoggedRound, deal: Deal[AnyState], state: AnyState) -> tuple[int, ...]:
        """The points of a round that is over."""
        expect(logged, "ended", state.ended)
        expect(logged, "out", state.out)
        points = self.rules.round_points(state)
        self.ended.append(EndedRound(deal.facts, points))
        expect(logged, "points", points)
        expect(logged, "totals", self.totals)
        return points


def expect(logged: LoggedRound, fact: str, expected: object) -> None:
    """Raise ``WrongFact`` if the log states this fact with another value."""
    if fact in logged.stated and logged.stated[fact] != expected:
        raise WrongFact(fact, logged.stated[fact], expected)
