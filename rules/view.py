"""What one seat may know of a round (``rules.md`` §9)."""

from dataclasses import dataclass
from enum import StrEnum

from rules.legality import legal_moves
from rules.moves import Move
from rules.state import Ended, OpenDouble, Setup, State, Train
from rules.tiles import TileSet


class Phase(StrEnum):
    """What the seat to move is being asked for."""

    PLAY = "play"
    DRAWN = "drawn"
    COVER = "cover"


@dataclass(frozen=True, slots=True)
class View:
    """A round as one seat sees it, or as a spectator does (``seat`` is ``None``).

    ``hand`` is the seat's own; ``legal_moves`` are empty unless the seat is to move.
    """

    setup: Setup
    seat: int | None
    trains: tuple[Train, ...]
    open_doubles: tuple[OpenDouble, ...]
    hand_counts: tuple[int, ...]
    boneyard_count: int
    turn: int
    draws: int
    phase: Phase
    ended: Ended | None
    hand: TileSet
    legal_moves: tuple[Move, ...]


def view_for(state: State, seat: int | None) -> View:
    """Public facts for everybody; the hand and the legal moves for the one seat whose they are."""
    return View(
        setup=state.setup,
        seat=seat,
        trains=state.trains,
        open_doubles=state.open_doubles,
        hand_counts=tuple(hand.bit_count() for hand in state.hands),
        boneyard_count=len(state.boneyard),
        turn=state.turn,
        draws=state.draws,
        phase=phase_of(state),
        ended=state.ended,
        hand=0 if seat is None else state.hands[seat],
        legal_moves=tuple(legal_moves(state)) if seat == state.turn else (),
    )


def phase_of(state: State) -> Phase:
    """Drawn, if the seat has just drawn; else covering, if a double is open; else an ordinary play."""
    if state.draws:
        return Phase.DRAWN
    return Phase.COVER if state.open_doubles else Phase.PLAY
