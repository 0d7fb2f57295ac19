"""What one seat may know of a round (``rules.md`` §9)."""

from dataclasses import dataclass
from enum import StrEnum

from rules.game import Ended
from rules.mexican_train.announcing import shows_last_tile
from rules.mexican_train.doubles import owes_follow_up, target_double, visible_doubles
from rules.mexican_train.knowledge import Limits
from rules.mexican_train.legality import legal_moves_of
from rules.mexican_train.moves import Move
from rules.mexican_train.state import OpenDouble, Progress, Setup, Standing, State, Train, is_in_long_first_turn
from rules.tiles import TileSet


class Phase(StrEnum):
    """What the seat to move is expected to do."""

    PLAY = "play"
    DRAWN = "drawn"
    COVER = "cover"
    FIRST_TURN = "first_turn"


@dataclass(frozen=True, slots=True)
class View:
    """A round as one seat may know it, or a spectator (``seat`` is ``None``).

    ``hand`` is the seat's own. ``hands`` are all hands, where the options make them public. ``legal_moves`` are the
    moves that the seat may make now; a seat that is not to move may only call. ``announced`` are the seats that are
    known to have one tile left. ``exposed`` is the seat that may be called.

    ``unshown`` are the doubles of a long first turn, which become open doubles when it ends. In such a turn the
    ``phase`` may also be ``DRAWN`` or ``COVER``; ``is_in_long_first_turn`` is true in any case. ``on_table``,
    ``progress``, ``standing`` and ``passed`` are those of the state, because all of them are public. ``limits`` are
    what the moves of the round have revealed about the hands, or ``None`` if they were not computed.
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
    unshown: tuple[OpenDouble, ...]
    is_in_long_first_turn: bool
    on_table: TileSet
    progress: Progress
    standing: Standing
    passed: int
    limits: Limits | None


def view_for(state: State, seat: int | None, known: Limits | None = None) -> View:
    """The public facts for everybody, and for a seat also its own hand and legal moves.

    ``known`` is what ``rules.mexican_train.knowledge`` has computed from the moves of the round, if it was asked.
    """
    visible = visible_doubles(state)
    return View(
        setup=state.setup,
        seat=seat,
        trains=state.trains,
        open_doubles=visible,
        hand_counts=tuple(hand.bit_count() for hand in state.hands),
        boneyard_count=len(state.boneyard),
        turn=state.turn,
        draws=state.progress.draws,
        phase=phase_of(state),
        ended=state.ended,
        hand=0 if seat is None else state.hands[seat],
        hands=tuple(state.hands) if state.setup.options.shows_hands else None,
        announced=tuple(each for each in range(state.setup.seats) if shows_last_tile(state, each)),
        exposed=None if state.ended else state.exposed,
        legal_moves=() if seat is None else tuple(legal_moves_of(state, seat)),
        unshown=state.open_doubles[len(visible) :],
        is_in_long_first_turn=is_in_long_first_turn(state),
        on_table=state.on_table,
        progress=state.progress,
        standing=state.standing,
        passed=state.passed,
        limits=known,
    )


def phase_of(state: State) -> Phase:
    """``DRAWN`` after a draw, ``COVER`` if a double needs a tile, ``FIRST_TURN`` in a long first turn, or ``PLAY``."""
    if state.progress.draws:
        return Phase.DRAWN
    if owes_follow_up(state) or target_double(state, state.turn) is not None:
        return Phase.COVER
    return Phase.FIRST_TURN if is_in_long_first_turn(state) else Phase.PLAY
