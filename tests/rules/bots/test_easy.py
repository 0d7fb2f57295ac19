"""The level *easy*: the heaviest tile; on a tie, the own train."""

from tests.rules.bots.asking import check_no_chance, chosen

THREE_WAYS = "engine 12-12; turn 0\n0: 12-5 | 5-4 5-1 12-9\n1: 12-7 | 9-8\nmexican:"


def test_it_lays_its_heaviest_tile() -> None:
    assert chosen("easy", THREE_WAYS) == "12-9>mexican"
    assert chosen("easy", THREE_WAYS.replace("12-9", "11-9")) == "5-4>0"


def test_it_lays_on_its_own_train_if_it_can_choose() -> None:
    assert chosen("easy", "engine 12-12; turn 0\n0: | 12-5 5-1\n1: marked | 9-8\nmexican:") == "12-5>0"
    assert chosen("easy", "engine 12-12; turn 1\n0: marked | 9-8\n1: | 12-5 5-1\nmexican:") == "12-5>1"


def test_it_prefers_weight_to_its_own_train() -> None:
    assert chosen("easy", "engine 12-12; turn 0\n0: 12-5 | 5-4 9-7\n1: 12-9 marked | 9-8\nmexican:") == "9-7>1"


def test_it_covers_with_the_heaviest_tile_that_fits() -> None:
    covering = "engine 12-12; turn 0; open 0/0\n0: 12-5 5-5 | 5-4 5-1 12-9\n1: 12-7 | 9-8\nmexican:"
    assert chosen("easy", covering) == "5-4>0"


def test_it_announces_and_calls() -> None:
    one_left = "engine 12-12; turn 0\n0: 12-5 | 5-4\n1: 12-7 | 9-8\nmexican:"
    assert chosen("easy", one_left, announce="penalty") == "announce"
    caught = "engine 12-12; turn 0; exposed 1\n0: 12-5 | 5-4 3-2\n1: 12-7 | 9-8\nmexican:"
    assert chosen("easy", caught, announce="penalty") == "call 1"


def test_it_needs_no_chance() -> None:
    check_no_chance("easy", THREE_WAYS)
