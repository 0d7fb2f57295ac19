"""A table at one moment, as immutable values for play and for presenters."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property, lru_cache
from typing import Any
from uuid import UUID

from players.models import Kind
from rules.game import AnyGame, AnyOptions, AnyState, Facts, Log
from rules.games import game_of
from rules.tiles import Tile, double_set, tile_texts
from tables.models import MaySitOut, Status


@dataclass(frozen=True, slots=True)
class SeatFacts(MaySitOut):
    """A seat as play needs it. ``level`` is the level of the bot that moves here now, if any.

    ``name`` is the player's name at this table. ``stand_in_until`` is ``next`` even if the player is back and waits for
    the next round. Coming back then does not change the table's version, so a snapshot cannot hold it. The end of a
    round reads it from the row.
    """

    id: int
    number: int
    player: UUID | None
    name: str | None
    kind: str | None
    bot_level: str | None
    stand_in: str
    stand_in_until: str
    total: int
    timeouts: int

    @property
    def level(self) -> str | None:
        """The level of the bot that makes this seat's moves, if any."""
        return self.bot_level if self.kind == Kind.BOT else self.stand_in or None


@dataclass(frozen=True, slots=True)
class RoundFacts:
    """The round on the table: the one being played, or the last of a finished match."""

    id: int
    number: int
    facts: Facts
    commitment: str
    order: str
    moves: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LastMove:
    """The newest entry of the log, from any round."""

    number: int
    seat: int
    text: str
    by: str


@dataclass(frozen=True)
class Snapshot:
    """One table at one moment, from its rows."""

    id: UUID
    status: str
    version: int
    next_number: int
    options_text: str
    game: str
    engine_version: int
    host: UUID | None
    turn_seconds: int | None
    on_timeout: str
    on_leave: str
    bot_delay_ms: int
    auto_pass: bool
    hints: bool
    turn_on_timeout: str | None
    is_public: bool
    rounds_played: int
    turn: int | None
    deadline: datetime | None
    winners: list[int] | None
    ended_reason: str
    seats: tuple[SeatFacts, ...]
    round: RoundFacts | None
    last_result: dict[str, Any] | None
    next_commitment: str | None
    last_move: LastMove | None

    @cached_property
    def options(self) -> AnyOptions:
        return options_from(self.options_text, self.game, self.engine_version)

    @property
    def pinned(self) -> tuple[str, int, str]:
        """The game of the table, its version and its options, as they are stored."""
        return self.game, self.engine_version, self.options_text

    @cached_property
    def rules(self) -> AnyGame:
        """The game, in the version of its rules that the table began with."""
        return game_of(self.game, self.engine_version)

    @cached_property
    def state(self) -> AnyState | None:
        """The round on the table, replayed from its deal."""
        return self._replayed and self._replayed[1]

    @property
    def before_last_move(self) -> AnyState | None:
        """The round on the table before its last move, ``None`` if it has none yet."""
        return self._replayed[0] if self._replayed and self.round and self.round.moves else None

    @cached_property
    def _replayed(self) -> tuple[AnyState, AnyState] | None:
        """The round on the table before and after its last move, from one replay."""
        if self.round is None:
            return None
        start, made = self._start or (self.dealt(self.round), 0)
        *earlier, last = map(self.rules.parse, self.round.moves[made:]) if self.round.moves else (None,)
        before = self.rules.replay(start, earlier)
        return before, before if last is None else self.rules.replay(before, [last])

    @cached_property
    def _start(self) -> tuple[AnyState, int] | None:
        """A state of this round to replay from, and how many moves it has; ``None`` for the deal."""
        return None

    def use_replay_of(self, earlier: "Snapshot") -> None:
        """Replay only the moves that an earlier snapshot of this table does not have, if it has the same round.

        A state depends on the options, the deal and the moves, and all of them are compared.
        """
        ours, theirs = self.round, earlier.round
        replayed = earlier.__dict__.get("_replayed")
        if ours is None or theirs is None or replayed is None:
            return
        has_same_rules = self.pinned == earlier.pinned
        if not has_same_rules or len(self.seats) != len(earlier.seats):
            return
        if ours == theirs:
            self.__dict__["_replayed"] = replayed
        elif replace(ours, moves=ours.moves[: len(theirs.moves)]) == theirs:
            self.__dict__["_start"] = earlier.state, len(theirs.moves)

    @property
    def log(self) -> Log[AnyState, Any]:
        """The round on the table, as far as it has been played."""
        played = self.round
        assert played is not None
        return Log(lambda: self.dealt(played), map(self.rules.parse, played.moves))

    def dealt(self, played: RoundFacts) -> AnyState:
        state: AnyState = self.rules.dealt(self.options, len(self.seats), tiles_from(played.order), played.facts)
        return state

    @property
    def is_playing(self) -> bool:
        return self.status == Status.PLAYING

    @property
    def turns_on_timeout(self) -> str:
        """``on_timeout`` of the current turn. A changed clock applies from the next turn on."""
        return self.turn_on_timeout or self.on_timeout

    @property
    def last_moves_round(self) -> int:
        """The round of the newest log entry. It is the round before, if the round on the table has no move yet."""
        return self.round.number if self.round is not None and self.round.moves else self.rounds_played

    @property
    def is_round_over(self) -> bool:
        """Whether the round on the table has ended, so that nothing in it is hidden any more."""
        return self.state is not None and self.state.ended is not None

    def advanced(self, states: tuple[AnyState, AnyState], moves: Sequence[LastMove], **changes: Any) -> "Snapshot":
        """Return this table after one write. ``states`` are those before and after the last of ``moves``."""
        assert self.round is not None
        played = replace(self.round, moves=(*self.round.moves, *(move.text for move in moves)))
        last = moves[-1] if moves else self.last_move
        later = replace(self, round=played, last_move=last, **changes)
        later.__dict__["_replayed"] = states  # known already; another replay would double the cost of a move
        return later

    def seat_of(self, player: UUID | None) -> SeatFacts | None:
        return next((seat for seat in self.seats if player and seat.player == player), None)


@lru_cache(maxsize=1024)
def options_from(text: str, game: str, engine_version: int) -> AnyOptions:
    """Return a table's options from their stored JSON, as its version of the rules plays them."""
    return game_of(game, engine_version).stored_options(json.loads(text))


TILE_FROM_TEXT = dict(zip(tile_texts(double_set(18)), double_set(18), strict=True))


def tiles_from(text: str) -> list[Tile]:
    return [TILE_FROM_TEXT[word] for word in text.split()]


def tiles_to(tiles: Iterable[Tile]) -> str:
    return " ".join(tile_texts(tiles))
