"""Which versions of the rules this server can play again, and with what: a table keeps the one it began with."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

from rules.dealing import Dealt, choose_engine, deal, hands_dealt
from rules.errors import RulesError
from rules.match import first_seat_of, winners
from rules.moves import Move
from rules.options import Options
from rules.scoring import round_points
from rules.shuffling import drawn_seat, shuffled
from rules.state import State
from rules.tiles import Tile
from rules.transitions import apply


class UnknownVersion(RulesError):
    """A version of the rules that this server does not have."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number

    def __str__(self) -> str:
        return f"engine version {self.number} is unknown; this server plays {', '.join(map(str, VERSIONS))}"


@dataclass(frozen=True, slots=True)
class Version:
    """Everything that turns secrets and moves into rounds and winners, as one version of the rules has it."""

    shuffled: Callable[[bytes, str, int, Sequence[str], int], list[Tile]]
    drawn_seat: Callable[[bytes, str, int, Sequence[str]], int]
    first_seat_of: Callable[[Options, int, int, int, Sequence[int]], int]
    choose_engine: Callable[[Options, int, int, Collection[int], int, Sequence[Tile]], int]
    hands_dealt: Callable[[Options, int, int, Sequence[Tile]], Dealt]
    deal: Callable[[Options, int, int, int, Sequence[Tile]], State]
    apply: Callable[[State, Move], State]
    round_points: Callable[[State], tuple[int, ...]]
    winners: Callable[[Options, Sequence[Sequence[int]], Sequence[bool]], list[int]]


# A change that gives an old log another result comes as another version; this one then keeps a copy of what it had.
VERSIONS: Mapping[int, Version] = {
    1: Version(
        shuffled=shuffled,
        drawn_seat=drawn_seat,
        first_seat_of=first_seat_of,
        choose_engine=choose_engine,
        hands_dealt=hands_dealt,
        deal=deal,
        apply=apply,
        round_points=round_points,
        winners=winners,
    ),
}


def version_of(number: int) -> Version:
    """The rules that a table was played by. Raises ``UnknownVersion``."""
    if number not in VERSIONS:
        raise UnknownVersion(number)
    return VERSIONS[number]
