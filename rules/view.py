"""What one seat may know of a round (``rules.md`` §9)."""

from dataclasses import dataclass
from enum import StrEnum

from rules.announcing import shows_last_tile
from rules.doubles import doubles_shown, owes_follow_up, target_double
from rules.legality import legal_moves_of
from rules.moves import Move
from rules.state import Ended, OpenDouble, Setup, State, Train, is_in_long_first_turn
from rules.tiles import TileSet


class Phase(StrEnum):
    """What the seat to move is being asked for."""

    PLAY = "play"
    DRAWN = "drawn"
    COVER = "cover"
    FIRST_TURN = "first_turn"


@dataclass(frozen=True, slots=True)
class View:
    """A round as one seat sees it, or as a spectator does (``seat`` is ``None``).

    ``hand`` is the seat's own, ``hands`` are everybody's where the rules make them public. ``legal_moves`` are what
    the seat may do now; when it is not to move, that is to call another at most. ``announced`` are the seats that the
    table knows to have one tile left, ``exposed`` the one that may be called.
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
    hands: tuple[TileSet, ...] | None
    announced: tuple[int, ...]
    exposed: int | None
    legal_moves: tuple[Move, ...]


def view_for(state: State, seat: int | None) -> View:
    """Public facts for everybody; the hand and the legal moves for the one seat whose they are."""
    return View(
        setup=state.setup,
        seat=seat,
        trains=state.trains,
        open_doubles=doubles_shown(state),
        hand_counts=tuple(hand.bit_count() for hand in state.hands),
        boneyard_count=len(state.boneyard),
        turn=state.turn,
        draws=state.progress.draws,
        phase=phase_of(state),
        ended=state.ended,
        hand=0 if seat is None else state.hands[seat],
        hands=state.hands if state.setup.options.shows_hands else None,
        announced=tuple(each for each in range(state.setup.seats) if shows_last_tile(state, each)),
        exposed=None if state.ended else state.standing.exposed,
        legal_moves=() if seat is None else tuple(legal_moves_of(state, seat)),
    )


def phase_of(state: State) -> Phase:
    """Drawn, if the seat has just drawn; covering, if a double asks for it; else a long first turn, or any other."""
    if state.progress.draws:
        return Phase.DRAWN
    if owes_follow_up(state) or target_double(state, state.turn) is not None:
        return Phase.COVER
    return Phase.FIRST_TURN if is_in_long_first_turn(state) else Phase.PLAY
