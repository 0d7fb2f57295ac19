"""The fast copy of the rules beside the rules: the same round in both, and what of it must be equal.

``python -m tests.rules.bots.fast_rounds 20000`` compares so many random rounds; the suite compares fewer.
"""

import random
import sys

from rules.mexican_train.bots.fast import FastRound
from rules.mexican_train.bots.fast_rules import rules_for
from rules.mexican_train.legality import legal_moves
from rules.mexican_train.scoring import round_points
from rules.mexican_train.state import Progress, State
from rules.mexican_train.view import view_for
from tests.rules.random_rules import random_deal, random_play

ENDINGS = (None, "out", "blocked")
EVERY = 9
"""How often a copy is made anew from the middle of a round, as a search makes it."""


def fill(copy: FastRound, state: State) -> None:
    """Give a copy the hidden tiles too."""
    copy.hands = list(state.hands)
    copy.boneyard = [each.bit.bit_length() - 1 for each in reversed(state.boneyard)]


def fast_copy(state: State) -> FastRound:
    copy = FastRound(rules_for(state.setup.options, state.setup.seats), view_for(state, None))
    fill(copy, state)
    return copy


def facts(state: State) -> list[object]:
    """A state as the copy keeps it."""
    trains, standing = state.trains, state.standing
    return [
        [each.end for each in trains],
        sum(each.is_marked << train for train, each in enumerate(trains)),
        list(state.hands),
        [hand.bit_count() for hand in state.hands],
        len(state.boneyard),
        [(each.train % len(trains), each.layer) for each in state.open_doubles],
        state.progress,
        (state.turn, state.passed, state.ended),
        (standing.had_first_turn, standing.announced, standing.exposed),
    ]


def fast_facts(copy: FastRound) -> list[object]:
    return [
        copy.ends,
        copy.marked,
        copy.hands,
        copy.counts,
        copy.left,
        copy.opened,
        Progress(copy.laid, copy.doubles, copy.fresh, copy.draws, copy.has_used_draw),
        (copy.turn, copy.passed, ENDINGS[copy.ended]),
        (copy.had_first, copy.announced, copy.exposed),
    ]


def check_agreement(chance: random.Random) -> None:
    """A random round under random rules: the same moves are legal, each leads to the same, and the points are equal."""
    state = random_deal(chance).state
    copy = fast_copy(state)
    for number, (before, move, after) in enumerate(random_play(state, chance)):
        assert copy.legal_moves() == list(legal_moves(before)), before
        if number % EVERY == 0:
            copy = fast_copy(before)
        copy.apply(move)
        assert fast_facts(copy) == facts(after), (before, move)
        state = after
    assert copy.legal_moves() == []
    assert copy.points() == list(round_points(state))


def main(rounds: int) -> None:
    for seed in range(rounds):
        check_agreement(random.Random(seed))
    sys.stdout.write(f"{rounds} rounds agree.\n")


if __name__ == "__main__":
    main(int(sys.argv[1]))
