"""Bots are honest: hidden tiles do not change the choice of a bot."""

import random

import pytest

from rules.mexican_train.bots import advise
from rules.mexican_train.knowledge import learnt, nothing_known
from rules.mexican_train.presets import rules_of
from rules.mexican_train.state import State
from rules.mexican_train.transitions import apply
from rules.mexican_train.view import view_for
from tests.cases import slow_after
from tests.rules.bots.asking import LEVELS, CountingGuard, permuted
from tests.rules.random_rules import random_deal


def check_honest(level: str, state: State, source: random.Random) -> int:
    """In every position of a round, the same choice and the same grounds. Returns how often there was one to make."""
    choices, known = 0, nothing_known(state.setup.options, state.setup.seats)
    while state.ended is None:
        other, seed = permuted(state, source), source.random()
        mine, theirs = (
            advise(level, view_for(each, each.turn, known), random.Random(seed).randrange, CountingGuard(2))
            for each in (state, other)
        )
        assert mine == theirs
        choices += len(view_for(state, state.turn).legal_moves) > 1 and other != state
        known = learnt(known, state, mine.move)
        state = apply(state, mine.move)
    return choices


@pytest.mark.parametrize("level", LEVELS)
def test_tiles_that_a_seat_cannot_see_do_not_change_its_choice(level: str) -> None:
    source = random.Random(2)
    assert (
        sum(check_honest(level, random_deal(source, (rules_of("classic", {}), 4)).state, source) for _ in range(3)) > 60
    )


@pytest.mark.parametrize("level", slow_after(1, LEVELS))
def test_hidden_tiles_do_not_change_a_choice_under_random_rules(level: str) -> None:
    source = random.Random(3)
    assert sum(check_honest(level, random_deal(source).state, source) for _ in range(40)) > 400
