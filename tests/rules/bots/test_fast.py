"""The fast copy of the rules agrees with the rules, under all of their options."""

import random
from collections.abc import Callable

import pytest

from rules.mexican_train.bots.fast_rules import rules_for
from rules.mexican_train.bots.playout import Playout
from rules.mexican_train.legality import legal_moves
from rules.mexican_train.moves import ANNOUNCE, DRAW, END, MEXICAN, PASS, Move, Play
from rules.mexican_train.notation import parse_move
from rules.mexican_train.presets import PRESETS, rules_of
from rules.mexican_train.scoring import round_points
from rules.mexican_train.state import State
from rules.mexican_train.transitions import apply
from rules.mexican_train.view import view_for
from rules.tiles import TILES
from tests.cases import slow_after
from tests.rules.bots.fast_rounds import check_agreement, facts, fast_copy, fast_facts, fill
from tests.rules.drawing import drawn
from tests.rules.random_rules import random_deal, random_rules
from tests.rules.test_versions import LAPSING, STUCK_NOW, by_version_1

BATCHES, BATCH = 20, 100


@pytest.mark.parametrize("batch", slow_after(2, range(BATCHES)))
def test_the_fast_copy_agrees_with_the_rules(batch: int) -> None:
    """2,000 random rounds in all; ``tests.rules.bots.fast_rounds`` compares as many as one likes."""
    for seed in range(batch * BATCH, (batch + 1) * BATCH):
        check_agreement(random.Random(seed))


LAST_DOUBLE = STUCK_NOW.replace("5-5 4-1", "5-5").replace("12-3 7-2", "4-3")
MUST_COVER: dict[str, object] = {**LAPSING, "finish_on_double": "must_cover", "marker_on_empty_boneyard": False}


@pytest.mark.parametrize("state_of", [drawn, by_version_1])
@pytest.mark.parametrize(("position", "rules"), [(STUCK_NOW, LAPSING), (LAST_DOUBLE, MUST_COVER)])
def test_it_agrees_on_blocked_rounds_in_every_version(
    state_of: Callable[..., State], position: str, rules: dict[str, object]
) -> None:
    """Only in version 1 is the round blocked at the first pass."""
    state = state_of(position, **rules)
    copy = fast_copy(state)
    for text in ("5-5>0", "pass", "pass", "pass"):
        if state.ended is None:
            state = apply(state, parse_move(text))
            copy.apply(parse_move(text))
            assert fast_facts(copy) == facts(state), text


class Noted(Playout):
    """A play-out that notes its moves."""

    def __init__(self, state: State) -> None:
        super().__init__(rules_for(state.setup.options, state.setup.seats), view_for(state, None))
        fill(self, state)
        self.must_announce = False
        self.noted = list[Move]()

    def lay(self, train: int, at: int) -> None:
        self.noted.append(Play(TILES[at], MEXICAN if train == self.seats else train))
        super().lay(train, at)

    def draw(self) -> int:
        self.noted.append(DRAW)
        return super().draw()

    def give_up(self) -> None:
        self.noted.append(PASS)
        super().give_up()

    def end_first_turn(self) -> None:
        self.noted.append(END)
        super().end_first_turn()


def replayed(state: State, moves: list[Move]) -> State:
    """The recorded round of a play-out, played by the rules. Seats with one tile left have announced it."""
    for move in moves:
        if ANNOUNCE in legal_moves(state):
            state = apply(state, ANNOUNCE)
        state = apply(state, move)
    return state


def check_played_out(state: State) -> None:
    playout = Noted(state)
    points = playout.finish()
    ended = replayed(state, playout.noted)
    assert ended.ended is not None
    assert tuple(points) == round_points(ended)
    assert playout.hands == list(ended.hands)


@pytest.mark.parametrize("preset", slow_after(3, PRESETS))
def test_a_play_out_is_a_legal_round_of_every_preset(preset: str) -> None:
    chance, options = random.Random(preset), rules_of(preset, {})
    for seats in options.hand_sizes:
        check_played_out(random_deal(chance, (options, seats)).state)


@pytest.mark.parametrize("seed", slow_after(2, range(20)))
def test_a_play_out_is_a_legal_round_under_any_rules(seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(25):
        check_played_out(random_deal(chance, random_rules(chance)).state)


def test_moves_on_a_copy_do_not_change_the_original() -> None:
    state = random_deal(random.Random(1), (rules_of("official_d12", {}), 4)).state
    playout = Noted(state)
    first, second = playout.copy(), playout.copy()
    first.finish()
    assert (playout.hands, playout.turn, playout.left) == (list(state.hands), state.turn, len(state.boneyard))
    assert second.finish() == first.points()
