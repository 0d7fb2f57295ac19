"""Possible worlds: every tile once, hands of the right size, and agreement with everything that is known."""

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

import pytest

from rules.mexican_train.bots.worlds import World, Worlds
from rules.mexican_train.knowledge import NO_LIMIT, Limits, learnt, nothing_known
from rules.mexican_train.presets import rules_of
from rules.mexican_train.state import State
from rules.mexican_train.view import View, view_for
from rules.tiles import TILES, WITH_PIP, TileSet, double_set, set_of, tile, tiles_in
from tests.rules.drawing import drawn
from tests.rules.random_rules import random_deal, random_play


def views(chance: random.Random, *rules: str) -> Iterator[tuple[State, View]]:
    """What each seat sees when it is to move, in random rounds, with what the moves have shown."""
    for preset in rules:
        options = rules_of(preset, {})
        state = random_deal(chance, (options, min(options.hand_sizes))).state
        known = nothing_known(options, state.setup.seats)
        for before, move, _ in random_play(state, chance):
            yield before, view_for(before, before.turn, known)
            known = learnt(known, before, move)


def is_within(hands: list[TileSet], limits: Limits) -> bool:
    return all(
        (hand & WITH_PIP[pip]).bit_count() <= most
        for hand, limits_of_seat in zip(hands, limits, strict=True)
        for pip, most in enumerate(limits_of_seat)
    )


def check_possible(state: State, view: View, world: World) -> None:
    boneyard = set_of(TILES[at] for at in world.boneyard)
    unseen = set_of(state.boneyard) | set_of(each for hand in state.hands for each in tiles_in(hand))
    assert world.hands[state.turn] == view.hand
    assert [hand.bit_count() for hand in world.hands] == list(view.hand_counts)
    assert len(world.boneyard) == view.boneyard_count
    assert sum(world.hands) + boneyard == unseen


@pytest.mark.parametrize("preset", ["classic", "official_d9", "long_trains", "family"])
def test_a_world_holds_every_hidden_tile_once_and_hands_of_the_right_size(preset: str) -> None:
    chance = random.Random(preset)
    for state, view in views(chance, preset):
        check_possible(state, view, Worlds(view, chance.randrange).deal())


def test_nearly_every_world_agrees_with_what_is_known() -> None:
    chance, agreed = random.Random(1), Counter[bool]()
    for _, view in views(chance, *["classic"] * 8):
        assert view.limits is not None
        own = view.limits[view.turn]
        limits = tuple((NO_LIMIT,) * len(own) if seat == view.turn else each for seat, each in enumerate(view.limits))
        agreed[is_within(Worlds(view, chance.randrange).deal().hands, limits)] += 1
    assert agreed[True] > 300
    assert agreed[False] < 5


TABLE = drawn(
    "engine 2-2; turn 0; boneyard 2-1\n0: | 0-0\n1: | 1-1\nmexican: 2-0 0-1", set_max_pip=6, hand_sizes={2: 1}
)
"""A rival with one tile of the 24 that the first seat cannot see."""


def dealt(limits: dict[int, int], times: int = 400, tiles: int = 1) -> Counter[TileSet]:
    """The rival's hands in so many worlds, if it holds no more than that of each pip."""
    known = ((NO_LIMIT,) * 7, tuple(limits.get(pip, NO_LIMIT) for pip in range(7)))
    view = replace(view_for(TABLE, 0, known), hand_counts=(1, tiles), boneyard_count=24 - tiles)
    worlds = Worlds(view, random.Random(5).randrange)
    return Counter(worlds.deal().hands[1] for _ in range(times))


def test_every_tile_is_dealt_equally_often() -> None:
    hands = dealt({}, 4800)
    assert len(hands) == 24
    assert all(140 < times < 260 for times in hands.values())


def test_a_seat_is_dealt_no_tile_of_a_pip_that_it_has_none_of() -> None:
    hands = dealt(dict.fromkeys((2, 3, 4, 5, 6), 0))
    assert set(hands) == {tile(1, 1).bit}


def test_a_seat_is_dealt_no_more_tiles_of_a_pip_than_it_can_have() -> None:
    hands = dealt(dict.fromkeys(range(7), 1), tiles=3)
    assert len(hands) > 30
    assert all((hand & WITH_PIP[pip]).bit_count() <= 1 for hand in hands for pip in range(7))


def test_the_seat_with_the_least_choice_is_dealt_to_first() -> None:
    state = drawn(
        "engine 2-2; turn 0; boneyard 2-1\n0: | 0-0\n1: | 1-1\n2: | 6-6\nmexican: 2-0 0-1",
        set_max_pip=6,
        hand_sizes={3: 1},
    )
    known = ((NO_LIMIT,) * 7, (NO_LIMIT,) * 7, (NO_LIMIT, NO_LIMIT, 0, 0, 0, 0, 0))
    worlds = Worlds(replace(view_for(state, 0, known), boneyard_count=22), random.Random(5).randrange)
    assert {worlds.deal().hands[2] for _ in range(200)} == {tile(1, 1).bit}


def test_an_impossible_world_respects_at_least_the_sizes_of_the_hands() -> None:
    assert len(dealt(dict.fromkeys(range(7), 0))) > 10


def test_hands_that_everybody_sees_are_not_guessed() -> None:
    state = random_deal(random.Random(3), (rules_of("classic", {"hands_visible": True}), 4)).state
    world = Worlds(view_for(state, 0), random.Random(4).randrange).deal()
    assert world.hands == list(state.hands)
    assert sorted(world.boneyard) == sorted(double_set(12).index(each) for each in state.boneyard)


def test_chance_is_asked_once_and_says_all() -> None:
    view = view_for(TABLE, 0)
    view = replace(view, boneyard_count=23)
    one, other = (Worlds(view, lambda bound: bound // 3) for _ in range(2))
    assert [one.deal() for _ in range(5)] == [other.deal() for _ in range(5)]
