"""The *expert*: what it finds that the *hard* level does not, how long it thinks, and that it uses no hidden tiles."""

import random
from collections.abc import Iterator

import pytest

from rules.mexican_train.bots import advise
from rules.mexican_train.bots.choice import Choice, Why
from rules.mexican_train.bots.expert import AT_LARGE_TABLES, BY_OTHER_RULES, PLAYOUTS, searched
from rules.mexican_train.bots.racing import FIRST_CHECK
from rules.mexican_train.knowledge import Limits, learnt, nothing_known
from rules.mexican_train.legality import legal_moves
from rules.mexican_train.notation import move_text
from rules.mexican_train.presets import PRESETS, rules_of
from rules.mexican_train.state import State
from rules.mexican_train.transitions import apply
from rules.mexican_train.view import View, view_for
from rules.thinking import Guard, never
from tests.cases import slow_after
from tests.rules.bots.asking import CountingGuard, chosen, permuted
from tests.rules.drawing import drawn
from tests.rules.random_rules import random_deal


def thought(state: State, guard: Guard = never, seed: int = 1) -> Choice:
    return searched(view_for(state, state.turn), random.Random(seed).randrange, guard)


CLOSE = "engine 12-12; turn 0; boneyard 5-4 6-5 4-3 7-6 7-3\n0: | 12-11 11-2 8-3\n1: 12-7 | 9-8\nmexican: 12-8"


def test_it_blocks_a_rival_that_would_go_out() -> None:
    state = drawn(CLOSE, hands_visible=True)
    assert chosen("hard", CLOSE, hands_visible=True) == "12-11>0"
    assert move_text(thought(state).move) == "8-3>mexican"


def test_it_says_in_how_many_worlds_a_move_was_better_and_by_how_much() -> None:
    grounds = thought(drawn(CLOSE, hands_visible=True)).grounds
    assert grounds.why is Why.SEARCHED
    assert grounds.worlds >= FIRST_CHECK
    assert 5 < grounds.gain < 60


def test_if_it_makes_the_hard_levels_move_it_gives_the_same_reason() -> None:
    alike = "engine 12-12; turn 0\n0: 12-7 marked | 7-6 6-5 5-4\n1: 12-5 | 11-10 9-8 3-2 6-1\nmexican: 12-6"
    state = drawn(alike)
    assert thought(state) == advise("hard", view_for(state, 0), random.Random(1).randrange)


def test_it_has_the_hard_levels_move_ready_when_there_is_no_time() -> None:
    state = drawn(CLOSE, hands_visible=True)
    assert move_text(thought(state, CountingGuard(0)).move) == "12-11>0"
    assert move_text(thought(state, CountingGuard(FIRST_CHECK - 1)).move) == "12-11>0"
    assert move_text(thought(state, CountingGuard(FIRST_CHECK)).move) == "8-3>mexican"


@pytest.mark.parametrize(
    ("position", "options"),
    [
        ("engine 12-12; turn 0; boneyard 3-2\n0: | 12-5\n1: | 9-8\nmexican:", {}),
        ("engine 12-12; turn 0; boneyard 3-2\n0: 12-5 | 5-4\n1: 12-7 | 9-8\nmexican:", {"announce": "penalty"}),
        (
            "engine 12-12; turn 0; exposed 1; boneyard 3-2\n0: 12-5 | 5-4 5-3\n1: | 9-8\nmexican:",
            {"announce": "penalty"},
        ),
    ],
)
def test_the_last_tile_an_announcement_and_a_call_need_no_thought(position: str, options: dict[str, object]) -> None:
    guard = CountingGuard(0)
    thought(drawn(position, **options), guard)
    assert guard.left == 0


def positions(chance: random.Random, preset: str, number: int) -> Iterator[tuple[State, Limits]]:
    """Positions with a choice, from one round that the *hard* level plays, with the limits from its moves so far."""
    options, found = rules_of(preset, {}), list[tuple[State, Limits]]()
    state = random_deal(chance, (options, min(options.hand_sizes))).state
    known = nothing_known(options, state.setup.seats)
    while state.ended is None:
        view = view_for(state, state.turn, known)
        if len(view.legal_moves) > 2:
            found.append((state, known))
        move = advise("hard", view, chance.randrange).move
        known, state = learnt(known, state, move), apply(state, move)
    assert len(found) >= number
    yield from found[:: len(found) // number]


def views(chance: random.Random, preset: str, number: int) -> Iterator[View]:
    for state, known in positions(chance, preset, number):
        yield view_for(state, state.turn, known)


@pytest.mark.parametrize(
    ("preset", "playouts"),
    slow_after(
        1,
        [
            ("classic", PLAYOUTS),
            ("official_d12", BY_OTHER_RULES),
            ("family", BY_OTHER_RULES),
            ("official_d15", AT_LARGE_TABLES),
        ],
    ),
)
def test_it_calls_the_guard_once_a_world_and_stops_after_enough_worlds(preset: str, playouts: int) -> None:
    asked = []
    for view in views(random.Random(1), preset, 6):
        guard = CountingGuard(PLAYOUTS)
        searched(view, random.Random(2).randrange, guard)
        asked.append(PLAYOUTS - guard.left)
    assert all(0 < worlds <= playouts / 2 + 1 for worlds in asked)


def test_one_seed_and_one_number_of_worlds_make_one_choice() -> None:
    for view in views(random.Random(2), "classic", 4):
        first, second = (searched(view, random.Random(3).randrange, CountingGuard(24)) for _ in range(2))
        assert first == second


@pytest.mark.parametrize("preset", slow_after(1, ["classic", "official_d9", "tapper"]))
def test_hidden_tiles_do_not_change_its_choice_when_it_thinks_to_the_end(preset: str) -> None:
    source, differ = random.Random(preset), 0
    for seed, (state, known) in enumerate(positions(source, preset, 4)):
        other = permuted(state, source)
        views = (view_for(each, each.turn, known) for each in (state, other))
        mine, theirs = (searched(view, random.Random(seed).randrange, never) for view in views)
        assert mine == theirs
        differ += other != state
    assert differ >= 3


def check_plays_to_the_end(state: State, source: random.Random) -> None:
    """Now and then it has the time to change its mind."""
    known = nothing_known(state.setup.options, state.setup.seats)
    while state.ended is None:
        guard = CountingGuard(source.choice((1, 1, 1, 1, 1, FIRST_CHECK)))
        move = searched(view_for(state, state.turn, known), source.randrange, guard).move
        assert move in legal_moves(state)
        known, state = learnt(known, state, move), apply(state, move)


@pytest.mark.parametrize("preset", slow_after(2, PRESETS))
def test_it_plays_every_preset_to_the_end(preset: str) -> None:
    options, source = rules_of(preset, {}), random.Random(preset)
    check_plays_to_the_end(random_deal(source, (options, min(options.hand_sizes))).state, source)


@pytest.mark.parametrize("seed", slow_after(2, range(40)))
def test_it_plays_any_rules_to_the_end(seed: int) -> None:
    source = random.Random(seed)
    check_plays_to_the_end(random_deal(source).state, source)
