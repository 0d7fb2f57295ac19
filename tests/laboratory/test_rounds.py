"""One round in process: what a bot gets, what is timed, and how a failing bot is reported."""

from typing import Any

import pytest

from laboratory.deals import deal_number
from laboratory.rounds import BotFailed, Played, guard_for, play
from rules.mexican_train.bots import BOTS, Bot
from rules.mexican_train.bots.choice import Choice, Grounds, Why
from rules.mexican_train.bots.easy import heaviest
from rules.mexican_train.knowledge import Limits, nothing_known
from rules.mexican_train.moves import PASS
from rules.mexican_train.state import State
from rules.mexican_train.view import View
from rules.thinking import Chance, Guard, never
from tests.laboratory.experiments import experiment


@pytest.fixture
def levels(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Takes in a level of the test's own."""

    def take_in(strategy: Any) -> None:
        assert isinstance(BOTS, dict)
        monkeypatch.setitem(BOTS, "own", Bot("own", "Is of this test.", strategy, 1))

    return take_in


def first_deal() -> State:
    return deal_number(experiment(seats=2), 0)


def played_by(*levels: str) -> Played:
    return play(first_deal(), levels, "test/0", 0)


def test_choices_are_timed_and_forced_moves_are_not(levels: Any) -> None:
    choices = [0, 0]

    def counting(view: View, chance: Chance, guard: Guard) -> Choice:
        assert view.seat is not None
        assert len(view.legal_moves) > 1
        choices[view.seat] += 1
        return heaviest(view, chance, guard)

    levels(counting)
    seconds = played_by("own", "own").seconds
    assert [len(each) for each in seconds] == choices
    assert min(choices) > 5
    assert all(each >= 0 for seat in seconds for each in seat)


def test_chance_is_the_same_at_the_same_place_and_another_elsewhere() -> None:
    one, other = played_by("random", "random"), played_by("random", "random")
    assert one.points == other.points
    assert play(first_deal(), ("random", "random"), "test/1", 0).points != one.points


def test_a_bot_gets_the_limits_from_the_moves_so_far(levels: Any) -> None:
    seen = list[Limits | None]()

    def curious(view: View, chance: Chance, guard: Guard) -> Choice:
        seen.append(view.limits)
        return heaviest(view, chance, guard)

    levels(curious)
    played_by("own", "own")
    assert seen[0] == nothing_known(first_deal().setup.options, 2)
    assert seen[-1] not in (None, seen[0])


def test_a_bot_may_think_for_the_given_time() -> None:
    assert guard_for(0) is never
    guard = guard_for(2)
    assert not guard()
    while not guard():
        pass


def test_a_bot_that_raises_is_reported_with_its_place(levels: Any) -> None:
    def broken(view: View, chance: Chance, guard: Guard) -> Choice:
        raise RuntimeError("no idea")

    levels(broken)
    with pytest.raises(BotFailed, match=r"^own, test/0, seat 1, move \d+: RuntimeError\('no idea'\)$"):
        played_by("easy", "own")


def test_a_bot_that_chooses_an_illegal_move_is_reported_with_its_place(levels: Any) -> None:
    def passing(view: View, chance: Chance, guard: Guard) -> Choice:
        return Choice(PASS, Grounds(Why.CHANCE))

    levels(passing)
    with pytest.raises(BotFailed, match="own, test/0, seat 0, move 1: IllegalMove"):
        played_by("own", "easy")
