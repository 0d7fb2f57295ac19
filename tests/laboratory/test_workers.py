"""Several processes compute the same figures as one, and all of them end."""

import multiprocessing

import pytest

from laboratory.comparison import compare_all
from laboratory.experiment import BadExperiment, Experiment
from laboratory.printing import figures_of
from laboratory.workers import play_all
from rules.errors import BadOption
from tests.laboratory.experiments import experiment


def figures(asked: Experiment, workers: int) -> list[dict[str, object]]:
    """All but the times."""
    told = [figures_of(each) for each in compare_all(asked, play_all(asked, workers))]
    return [{name: value for name, value in each.items() if "thinking" not in name} for each in told]


@pytest.mark.slow
def test_the_figures_do_not_depend_on_the_number_of_workers() -> None:
    asked = experiment("random", "easy", "hard", deals=4, rounds=2)
    assert figures(asked, 1) == figures(asked, 2) == figures(asked, 3)


def test_another_seed_has_other_figures() -> None:
    assert figures(experiment(seed="one"), 1) != figures(experiment(seed="two"), 1)


def test_every_pair_of_more_than_two_levels_plays_every_deal() -> None:
    notes = list[None]()
    played = play_all(experiment("random", "easy", "medium"), 1, lambda: notes.append(None))
    assert list(played) == [("random", "easy"), ("random", "medium"), ("easy", "medium")]
    assert [len(each) for each in played.values()] == [3, 3, 3]
    assert len(notes) == 9


def test_a_level_that_is_named_twice_plays_itself_once() -> None:
    assert experiment("easy", "easy", "hard").pairs == [("easy", "easy"), ("easy", "hard")]


@pytest.mark.slow
def test_an_interrupt_ends_the_workers_at_once() -> None:
    notes = list[None]()

    def interrupt() -> None:
        notes.append(None)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        play_all(experiment(deals=10_000), 2, interrupt)
    assert len(notes) == 1
    assert multiprocessing.active_children() == []


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"levels": ("hard", "perfect")}, r"no level 'perfect'; the levels are random, easy, medium, hard"),
        ({"levels": ("hard",)}, "Name at least two levels"),
        ({"levels": ()}, "Name at least two levels"),
        ({"deals": 0}, "The number of deals must be at least 1"),
        ({"think_ms": -1}, "must be 0 ms or more"),
    ],
)
def test_an_impossible_experiment_is_refused(wrong: dict[str, object], told: str) -> None:
    asked = experiment()
    given: dict[str, object] = {"levels": asked.levels, "seats": 4, "deals": 1, "options": asked.options}
    with pytest.raises(BadExperiment, match=told):
        Experiment(**(given | wrong))  # type: ignore[arg-type]


@pytest.mark.parametrize("seats", [1, 9])
def test_a_number_of_seats_that_the_rules_do_not_allow_is_refused(seats: int) -> None:
    with pytest.raises(BadOption, match="these rules are for 2, 3, 4, 5, 6, 7, 8 seats"):
        experiment(seats=seats)
