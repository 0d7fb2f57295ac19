"""What the seat to move may do, and why it may not do the rest."""

from collections.abc import Iterator
from dataclasses import dataclass

from rules.errors import Reason
from rules.moves import DRAW, MEXICAN, PASS, Draw, End, Move, Pass, Play
from rules.state import OpenDouble, State
from rules.tiles import WITH_PIP, TileSet, tiles_in


@dataclass(frozen=True, slots=True)
class LegalMoves:
    """The legal moves of the seat to move: a collection that answers ``in`` without being listed.

    ``plays`` says, train by train, which tiles may be laid there; ``instead`` is what a seat does that can lay none.
    """

    plays: tuple[tuple[int, TileSet], ...]
    instead: Move | None

    def __contains__(self, move: object) -> bool:
        if not isinstance(move, Play):
            return move is not None and move == self.instead
        for train, tiles in self.plays:
            if train == move.train:
                return bool(tiles & move.tile.bit)
        return False

    def __iter__(self) -> Iterator[Move]:
        for train, tiles in self.plays:
            for tile in tiles_in(tiles):
                yield Play(tile, train)
        if self.instead is not None:
            yield self.instead


def legal_moves(state: State) -> LegalMoves:
    """Lay a tile if any fits; stuck, draw if you can; else pass. Nothing once the round is over (§3)."""
    if state.ended is not None:
        return LegalMoves((), None)
    plays = playable(state, state.turn)
    if plays:
        return LegalMoves(plays, None)
    return LegalMoves((), DRAW if may_draw(state) else PASS)


def playable(state: State, seat: int) -> tuple[tuple[int, TileSet], ...]:
    """The tiles that a seat could lay if it were its turn, train by train."""
    hand = state.hands[seat]
    trains = state.trains
    return tuple([(name, tiles) for name in available(state, seat) if (tiles := hand & WITH_PIP[trains[name].end])])


def available(state: State, seat: int) -> list[int]:
    """Where a seat may lay: the open double's train if there is one, else its own, the marked ones, the Mexican."""
    target = target_double(state)
    if target is not None:
        return [target.train]
    own_and_marked = [name for name, train in enumerate(state.trains[:MEXICAN]) if train.is_marked or name == seat]
    return [*own_and_marked, MEXICAN]


def target_double(state: State) -> OpenDouble | None:
    """The open double that must be covered before anything else is laid: the oldest."""
    return state.open_doubles[0] if state.open_doubles else None


def may_draw(state: State) -> bool:
    """Whether a stuck seat still has a draw."""
    return bool(state.boneyard) and state.draws < state.setup.options.draws_allowed()


def is_anybody_able(state: State) -> bool:
    """Whether some seat could lay a tile if it were its turn."""
    return any(playable(state, seat) for seat in range(state.setup.seats))


def why_not(state: State, move: Move) -> Reason | None:
    """Why the seat to move may not do this; ``None`` if it may."""
    legal = legal_moves(state)
    if move in legal:
        return None
    if state.ended is not None:
        return Reason.ROUND_OVER
    if isinstance(move, Play):
        return why_not_play(state, move)
    if isinstance(move, Draw | Pass):
        return Reason.MUST_PLAY if legal.plays else why_not_stuck(state, move)
    return Reason.NOTHING_TO_END if isinstance(move, End) else Reason.NOTHING_TO_CALL


def why_not_play(state: State, play: Play) -> Reason:
    """Why a tile may not be laid there: the first thing a player would look at."""
    if play.train != MEXICAN and not 0 <= play.train < state.setup.seats:
        return Reason.NO_SUCH_TRAIN
    if not state.hands[state.turn] & play.tile.bit:
        return Reason.TILE_NOT_HELD
    if play.train in available(state, state.turn):
        return Reason.ENDS_DO_NOT_MATCH
    return Reason.DOUBLE_NOT_COVERED if target_double(state) else Reason.TRAIN_NOT_OPEN


def why_not_stuck(state: State, move: Draw | Pass) -> Reason:
    """Why a seat that can lay nothing may not draw, or may not pass yet."""
    if isinstance(move, Pass):
        return Reason.MUST_DRAW_FIRST
    return Reason.ALREADY_DREW if state.draws else Reason.BONEYARD_EMPTY
