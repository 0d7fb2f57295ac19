"""Asks a level for its move in a position drawn as text."""

import random
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from rules.mexican_train.bots import BOTS, advise
from rules.mexican_train.bots.choice import Choice
from rules.mexican_train.bots.words import sentence
from rules.mexican_train.notation import move_text
from rules.mexican_train.state import State
from rules.mexican_train.view import view_for
from rules.tiles import set_of, tiles_in
from tests.rules.drawing import drawn

LEVELS = sorted(BOTS)


@dataclass
class RecordingChance:
    """A source of one number, limited by the bound, that records the bounds of its calls."""

    says: int = 0
    asked: list[int] = field(default_factory=list)

    def __call__(self, bound: int) -> int:
        self.asked.append(bound)
        return min(self.says, bound - 1)


@dataclass
class CountingGuard:
    """A guard whose time is over after a number of calls, so that every run is the same."""

    left: int

    def __call__(self) -> bool:
        self.left -= 1
        return self.left < 0


def choice_of(level: str, position: str, chance: Callable[[int], int], **options: object) -> tuple[State, Choice]:
    state = drawn(position, **options)
    return state, advise(level, view_for(state, state.turn), chance)


def chosen(level: str, position: str, says: int = 0, **options: object) -> str:
    """The move that a level makes in a position."""
    return move_text(choice_of(level, position, RecordingChance(says), **options)[1].move)


def move_and_reason(level: str, position: str, **options: object) -> str:
    """The same with its reason: ``12-5>0: keeps your train going``."""
    state, choice = choice_of(level, position, RecordingChance(), **options)
    return f"{move_text(choice.move)}: {sentence(view_for(state, state.turn), choice)}"


def check_no_chance(level: str, position: str) -> None:
    """The level takes its decision without chance."""
    chance = RecordingChance()
    choice_of(level, position, chance)
    assert chance.asked == []


def permuted(state: State, source: random.Random) -> State:
    """The same state to the seat to move: the tiles that it cannot see change places."""
    seen = range(state.setup.seats) if state.setup.options.shows_hands else (state.turn,)
    others = [seat for seat in range(state.setup.seats) if seat not in seen]
    unseen = [*state.boneyard, *(each for seat in others for each in tiles_in(state.hands[seat]))]
    source.shuffle(unseen)
    hands = list(state.hands)
    for seat in others:
        count = hands[seat].bit_count()
        hands[seat], unseen = set_of(unseen[:count]), unseen[count:]
    return replace(state, hands=hands, boneyard=tuple(unseen))
