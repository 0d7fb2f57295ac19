"""What the seat to move may do, and why it may not do the rest."""

from collections.abc import Iterator
from dataclasses import dataclass

from rules.errors import Reason
from rules.moves import DRAW, MEXICAN, PASS, Draw, End, Move, Pass, Play
from rules.state import OpenDouble, State, train_names
from rules.tiles import WITH_PIP, TileSet, tiles_in


@dataclass(frozen=True, slots=True)
class LegalMoves:
    """The legal moves of the seat to move: a collection that answers ``in`` without being listed (§3).

    Lay a tile if any fits; stuck, draw if you can; else pass. Nothing once the round is over.
    """

    state: State

    def __contains__(self, move: object) -> bool:
        state = self.state
        if state.ended is not None:
            return False
        if isinstance(move, Play):
            return bool(state.hands[state.turn] & move.tile.bit) and fits(state, state.turn, move)
        return move == when_stuck(state) and not playable(state, state.turn)

    def __iter__(self) -> Iterator[Move]:
        state = self.state
        if state.ended is not None:
            return
        plays = playable(state, state.turn)
        for train, tiles in plays:
            for tile in tiles_in(tiles):
                yield Play(tile, train)
        if not plays:
            yield when_stuck(state)


def legal_moves(state: State) -> LegalMoves:
    """What the seat to move may do. There is always something while the round is on."""
    return LegalMoves(state)


def fits(state: State, seat: int, play: Play) -> bool:
    """Whether the train is there, is one where this seat may lay, and ends with a pip of the tile."""
    if not MEXICAN <= play.train < state.setup.seats or not is_available(state, seat, play.train):
        return False
    return bool(play.tile.bit & WITH_PIP[state.trains[play.train].end])


def is_available(state: State, seat: int, train: int) -> bool:
    """Where a seat may lay: on the open double's train if there is one, else its own, the marked ones, the Mexican."""
    target = target_double(state)
    if target is not None:
        return train == target.train
    return train in (seat, MEXICAN) or state.trains[train].is_marked


def playable(state: State, seat: int) -> list[tuple[int, TileSet]]:
    """The tiles that a seat could lay if it were its turn, train by train."""
    hand = state.hands[seat]
    available = [train for train in train_names(state.setup.seats) if is_available(state, seat, train)]
    return [(train, tiles) for train in available if (tiles := hand & WITH_PIP[state.trains[train].end])]


def when_stuck(state: State) -> Move:
    """What a seat does that can lay nothing: draw if it still may, else pass."""
    return DRAW if may_draw(state) else PASS


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
    if move in legal_moves(state):
        return None
    if state.ended is not None:
        return Reason.ROUND_OVER
    if isinstance(move, Play):
        return why_not_play(state, move)
    if isinstance(move, Draw | Pass):
        return Reason.MUST_PLAY if playable(state, state.turn) else why_not_stuck(state, move)
    return Reason.NOTHING_TO_END if isinstance(move, End) else Reason.NOTHING_TO_CALL


def why_not_play(state: State, play: Play) -> Reason:
    """Why a tile may not be laid there: the first thing a player would look at."""
    if play.train != MEXICAN and not 0 <= play.train < state.setup.seats:
        return Reason.NO_SUCH_TRAIN
    if not state.hands[state.turn] & play.tile.bit:
        return Reason.TILE_NOT_HELD
    if is_available(state, state.turn, play.train):
        return Reason.ENDS_DO_NOT_MATCH
    return Reason.DOUBLE_NOT_COVERED if target_double(state) else Reason.TRAIN_NOT_OPEN


def why_not_stuck(state: State, move: Draw | Pass) -> Reason:
    """Why a seat that can lay nothing may not draw, or may not pass yet."""
    if isinstance(move, Pass):
        return Reason.MUST_DRAW_FIRST
    return Reason.ALREADY_DREW if state.draws else Reason.BONEYARD_EMPTY
