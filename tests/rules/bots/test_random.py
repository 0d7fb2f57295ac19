"""The level *random*: any legal move."""

from tests.rules.bots.asking import RecordingChance, choice_of, chosen

THREE_WAYS = "engine 12-12; turn 0\n0: 12-5 | 5-4 5-1 12-9\n1: 12-7 | 9-8\nmexican:"


def test_it_makes_the_legal_move_that_chance_selects() -> None:
    assert {chosen("random", THREE_WAYS, says) for says in range(3)} == {"5-1>0", "5-4>0", "12-9>mexican"}


def test_it_draws_a_number_below_the_number_of_its_moves() -> None:
    chance = RecordingChance()
    choice_of("random", THREE_WAYS, chance)
    assert chance.asked == [3]
