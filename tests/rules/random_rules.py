"""Random rules and random rounds: any combination of option values that can be dealt, any legal moves."""

import random
from collections.abc import Iterator
from dataclasses import dataclass

from rules.errors import BadOption
from rules.mexican_train.dealing import choose_engine, deal
from rules.mexican_train.legality import legal_moves
from rules.mexican_train.moves import Move
from rules.mexican_train.options import MOST_SEATS, OPTIONS, Options, hand_size, resolve
from rules.mexican_train.options.kinds import OneOf, SubsetOf
from rules.mexican_train.state import State
from rules.mexican_train.transitions import apply
from rules.shuffling import shuffled
from rules.tiles import Tile, set_size

BY_SEATS_OR_SET = ("set_max_pip", "first_round_starter")
ONE_OF = {option: kind for option, kind in OPTIONS.items() if isinstance(kind, OneOf) and option not in BY_SEATS_OR_SET}
SETS = (6, 6, 6, 6, 6, 6, 9, 9, 9, 9, 12, 12, 15, 18)
"""Small sets more often: their rounds are short, and their boneyards run out."""
MOST_TILES = 16


@dataclass(frozen=True)
class RandomDeal:
    """Rules, and everything else that a round of them is dealt from."""

    options: Options
    seats: int
    round_index: int
    used: tuple[int, ...]
    first: int
    order: tuple[Tile, ...]
    engine: int
    state: State


def random_options(chance: random.Random, max_pip: int, seats: int) -> dict[str, object]:
    """Some, many or nearly all options other than *classic*, and a hand size that these seats can be dealt."""
    share = chance.choice((0.1, 0.3, 0.9))
    values: dict[str, object] = {
        option: chance.choice(kind.values) for option, kind in ONE_OF.items() if chance.random() < share
    }
    subset = OPTIONS["own_train_required_for"]
    assert isinstance(subset, SubsetOf)
    values["own_train_required_for"] = [each for each in subset.values if chance.random() < share / 2]
    if chance.random() < share:
        values["first_round_starter"] = chance.choice([*(f"seat_{seat}" for seat in range(seats)), "random"])
    return values | {"set_max_pip": max_pip, **random_match(chance, max_pip), **random_hands(chance, max_pip, seats)}


def random_match(chance: random.Random, max_pip: int) -> dict[str, object]:
    """The first engine and the number of rounds: each stated, or implied by the set."""
    first = chance.choice((None, chance.randint(0, max_pip)))
    most = 1 + (max_pip if first is None else first)
    return {"engine_first": first, "rounds": chance.choice((None, chance.randint(1, most)))}


def random_hands(chance: random.Random, max_pip: int, seats: int) -> dict[str, object]:
    """Hands as large as can be, which may leave no boneyard, or smaller ones."""
    most = min(MOST_TILES, set_size(max_pip) // seats)
    return {"hand_sizes": {seats: chance.choice((most, chance.randint(1, most)))}}


def random_rules(chance: random.Random) -> tuple[Options, int]:
    """Rules that can be dealt to some number of seats, and that number."""
    while True:
        max_pip = chance.choice(SETS)
        seats = chance.choice((2, 2, 3, 4, chance.randint(2, MOST_SEATS)))
        options = resolve(random_options(chance, max_pip, seats))
        try:
            hand_size(options, seats)
        except BadOption:
            continue  # no tile left to set aside, or one tile each where somebody has to bring the engine
        return options, seats


def random_deal(chance: random.Random, rules: tuple[Options, int] | None = None) -> RandomDeal:
    """Any round of a match by these rules, or by any: also one in which doubles have been used up."""
    options, seats = rules or random_rules(chance)
    round_index, first = chance.randrange(options.round_count), chance.randrange(seats)
    used = list[int]()
    for index in range(round_index):
        used.append(choose_engine(options, seats, index, used, first, random_order(chance, options)))
    order = random_order(chance, options)
    engine = choose_engine(options, seats, round_index, used, first, order)
    state = deal(options, seats, engine, first, order)
    return RandomDeal(options, seats, round_index, tuple(used), first, order, engine, state)


def random_order(chance: random.Random, options: Options) -> tuple[Tile, ...]:
    return tuple(shuffled(chance.randbytes(32), "table", 1, [], options.highest_pip))


def most_moves(state: State) -> int:
    """No round is longer than this, unless seats that may decline (``must_play``) never lay what they could."""
    tiles, seats = set_size(state.setup.options.highest_pip), state.setup.seats
    return 3 * tiles + 2 * seats * (tiles + 1)


def random_play(state: State, chance: random.Random) -> Iterator[tuple[State, Move, State]]:
    """Any legal moves to the end of the round: before, the move, after. Fails where there is nothing to do."""
    for _ in range(most_moves(state)):
        if state.ended is not None:
            return
        choices = list(legal_moves(state))
        assert choices, "the seat to move can do nothing"
        move = chance.choice(choices)
        after = apply(state, move)
        yield state, move, after
        state = after
    assert state.ended is not None, "the round does not end"
