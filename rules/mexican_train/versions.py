"""The versions of the rules that this server plays. A table keeps the one it began with (``rules.md`` §7)."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from rules.errors import RulesError
from rules.mexican_train.dealing import Dealt, EngineFound, choose_engine, deal, engine_found, hands_dealt
from rules.mexican_train.explaining import Verdict, explain
from rules.mexican_train.first_version import by_first_version
from rules.mexican_train.knowledge import Limits, known_after
from rules.mexican_train.legality import LegalMoves, clocks_move, is_marker_to_keep, legal_moves_of
from rules.mexican_train.log import drawn_tiles, replay
from rules.mexican_train.match import first_seat_of, winners
from rules.mexican_train.moves import Call, Move
from rules.mexican_train.options import Options
from rules.mexican_train.scoring import round_points
from rules.mexican_train.state import State
from rules.mexican_train.transitions import apply
from rules.mexican_train.view import View, view_for
from rules.shuffling import drawn_seat, shuffled
from rules.tiles import Tile


class UnknownVersion(RulesError):
    """A version of the rules that this server does not have."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number

    def __str__(self) -> str:
        return f"engine version {self.number} is unknown; this server plays {', '.join(map(str, VERSIONS))}"


@dataclass(frozen=True, slots=True)
class Version:
    """Everything that a table asks of the rules: dealing, legal moves, their results, views, points and winners.

    ``own_options`` gives the same options with this version's answers. ``deal`` applies it too, so that every state of
    a round answers by its version.
    """

    own_options: Callable[[Options], Options]
    shuffled: Callable[[bytes, str, int, Sequence[str], int], list[Tile]]
    drawn_seat: Callable[[bytes, str, int, Sequence[str]], int]
    first_seat_of: Callable[[Options, int, int, int, Sequence[int]], int]
    choose_engine: Callable[[Options, int, int, Collection[int], int, Sequence[Tile]], int]
    hands_dealt: Callable[[Options, int, int, Sequence[Tile]], Dealt]
    deal: Callable[[Options, int, int, int, Sequence[Tile]], State]
    engine_found: Callable[[Options, int, int, int, Sequence[Tile]], EngineFound]
    legal_moves_of: Callable[[State, int], LegalMoves | tuple[Call, ...]]
    is_marker_to_keep: Callable[[State, int], bool]
    clocks_move: Callable[[State], Move]
    explain: Callable[[State], Iterator[Verdict]]
    apply: Callable[[State, Move], State]
    replay: Callable[[State, Iterable[Move]], State]
    drawn_tiles: Callable[[State, Iterable[Move]], Iterator[tuple[Tile, ...]]]
    known_after: Callable[[State, Iterable[Move]], Limits]
    view_for: Callable[[State, int | None, Limits | None], View]
    round_points: Callable[[State], tuple[int, ...]]
    winners: Callable[[Options, Sequence[Sequence[int]], Sequence[bool]], list[int]]


def present_options(options: Options) -> Options:
    """The options unchanged: they answer by the current version."""
    return options


PRESENT = Version(
    own_options=present_options,
    shuffled=shuffled,
    drawn_seat=drawn_seat,
    first_seat_of=first_seat_of,
    choose_engine=choose_engine,
    hands_dealt=hands_dealt,
    deal=deal,
    engine_found=engine_found,
    legal_moves_of=legal_moves_of,
    is_marker_to_keep=is_marker_to_keep,
    clocks_move=clocks_move,
    explain=explain,
    apply=apply,
    replay=replay,
    drawn_tiles=drawn_tiles,
    known_after=known_after,
    view_for=view_for,
    round_points=round_points,
    winners=winners,
)


def deal_by_first_version(options: Options, seats: int, engine: int, first: int, order: Sequence[Tile]) -> State:
    """The first state of a round of version 1. The states that follow keep its options."""
    return deal(by_first_version(options), seats, engine, first, order)


# A change that gives an old log another result is a new version. Each earlier version states only its differences.
VERSIONS: Mapping[int, Version] = {
    1: replace(PRESENT, own_options=by_first_version, deal=deal_by_first_version),
    2: PRESENT,
}


def version_of(number: int) -> Version:
    """The rules of this version. Raises ``UnknownVersion``."""
    if number not in VERSIONS:
        raise UnknownVersion(number)
    return VERSIONS[number]
