"""Bots: what they choose, and that they choose it from what their seat sees. At the end, what the clock chooses."""

import random
from dataclasses import dataclass, field

import pytest

from rules.bots import BOTS, choose
from rules.dealing import choose_engine, deal
from rules.legality import clocks_move, legal_moves
from rules.notation import move_text
from rules.presets import PRESETS, rules_of
from rules.state import State
from rules.tiles import double_set, set_of, tiles_in
from rules.transitions import apply
from rules.view import view_for
from tests.rules.drawing import CLASSIC, drawn
from tests.rules.random_rules import most_moves, random_order


@dataclass
class Chance:
    """Chance that always says 0, and notes what it was asked for."""

    asked: list[int] = field(default_factory=list)

    def __call__(self, bound: int) -> int:
        self.asked.append(bound)
        return 0


def chosen(level: str, position: str, chance: int = 0, **options: object) -> str:
    state = drawn(position, **options)
    return move_text(choose(level, view_for(state, state.turn), lambda bound: min(chance, bound - 1)))


THREE_WAYS = "engine 12-12; turn 0\n0: 12-5 | 5-4 5-1 12-9\n1: 12-7 | 9-8\nmexican:"


def test_there_are_a_random_and_an_easy_bot_and_each_says_what_it_likes() -> None:
    assert set(BOTS) == {"random", "easy"}
    assert all(bot.level == level and bot.likes.endswith(".") for level, bot in BOTS.items())


def test_an_unknown_level_is_an_error() -> None:
    with pytest.raises(KeyError):
        chosen("perfect", THREE_WAYS)


def test_the_random_bot_takes_the_legal_move_that_chance_says() -> None:
    assert {chosen("random", THREE_WAYS, chance) for chance in range(3)} == {"5-1>0", "5-4>0", "12-9>mexican"}


def test_the_random_bot_asks_for_a_number_as_large_as_it_has_moves() -> None:
    chance = Chance()
    choose("random", view_for(drawn(THREE_WAYS), 0), chance)
    assert chance.asked == [3]


@pytest.mark.parametrize("level", BOTS)
def test_a_single_legal_move_needs_no_chance(level: str) -> None:
    stuck = drawn("engine 12-12; turn 0; boneyard 3-2\n0: | 5-4\n1: | 9-8\nmexican:")
    chance = Chance()
    assert move_text(choose(level, view_for(stuck, 0), chance)) == "draw"
    assert chance.asked == []


def test_the_easy_bot_lays_its_heaviest_tile() -> None:
    assert chosen("easy", THREE_WAYS) == "12-9>mexican"
    assert chosen("easy", THREE_WAYS.replace("12-9", "11-9")) == "5-4>0"


def test_the_easy_bot_lays_on_its_own_train_if_it_can_choose() -> None:
    assert chosen("easy", "engine 12-12; turn 0\n0: | 12-5 5-1\n1: marked | 9-8\nmexican:") == "12-5>0"
    assert chosen("easy", "engine 12-12; turn 1\n0: marked | 9-8\n1: | 12-5 5-1\nmexican:") == "12-5>1"


def test_the_easy_bot_prefers_weight_to_its_own_train() -> None:
    assert chosen("easy", "engine 12-12; turn 0\n0: 12-5 | 5-4 9-7\n1: 12-9 marked | 9-8\nmexican:") == "9-7>1"


def test_the_easy_bot_covers_with_the_heaviest_tile_that_fits() -> None:
    covering = "engine 12-12; turn 0; open 0/0*\n0: 12-5 5-5 | 5-4 5-1 12-9\n1: 12-7 | 9-8\nmexican:"
    assert chosen("easy", covering) == "5-4>0"


def test_the_easy_bot_needs_no_chance() -> None:
    chance = Chance()
    assert move_text(choose("easy", view_for(drawn(THREE_WAYS), 0), chance)) == "12-9>mexican"
    assert chance.asked == []


def permuted(state: State, source: random.Random) -> State:
    """The same state to the seat to move: the tiles that it cannot see change places."""
    others = [seat for seat in range(state.setup.seats) if seat != state.turn]
    unseen = [*state.boneyard, *(each for seat in others for each in tiles_in(state.hands[seat]))]
    source.shuffle(unseen)
    hands = list(state.hands)
    for seat in others:
        count = hands[seat].bit_count()
        hands[seat], unseen = set_of(unseen[:count]), unseen[count:]
    return state._replace(hands=tuple(hands), boneyard=tuple(unseen))


@pytest.mark.parametrize("level", BOTS)
def test_a_bots_choice_does_not_depend_on_tiles_that_it_cannot_see(level: str) -> None:
    source = random.Random(2)
    state = deal(CLASSIC, 4, 12, 0, source.sample(double_set(12), 91))
    choices = 0
    while state.ended is None:
        other = permuted(state, source)
        first = choose(level, view_for(state, state.turn), lambda bound: bound // 2)
        assert choose(level, view_for(other, state.turn), lambda bound: bound // 2) == first
        choices += len(list(legal_moves(state))) > 1 and other != state
        state = apply(state, first)
    assert choices > 20


def presets_deal(preset: str, seats: int, source: random.Random) -> State:
    options = rules_of(preset, {})
    order, first = random_order(source, options), source.randrange(seats)
    return deal(options, seats, choose_engine(options, seats, 0, (), first, order), first, order)


@pytest.mark.parametrize("level", BOTS)
@pytest.mark.parametrize("preset", PRESETS)
def test_a_bots_choice_is_legal_to_the_end_of_a_round_by_every_preset(preset: str, level: str) -> None:
    seats = rules_of(preset, {}).hand_sizes
    for number in (min(seats), max(seats)):
        source = random.Random(f"{preset} {level} {number}")
        state = presets_deal(preset, number, source)
        for _ in range(most_moves(state)):
            move = choose(level, view_for(state, state.turn), source.randrange)
            assert move in list(legal_moves(state))
            state = apply(state, move)
            if state.ended is not None:
                break
        assert state.ended is not None


LAST_TWO = "engine 12-12; turn 0; boneyard 3-2\n0: 12-5 | 5-4 9-8\n1: 12-7 | 7-1 8-8\nmexican:"


def test_the_easy_bot_announces_its_last_tile_before_it_lays_the_other() -> None:
    assert chosen("easy", LAST_TWO, announce="penalty") == "announce"
    assert chosen("easy", LAST_TWO.replace("turn 0", "turn 0; announced 0"), announce="penalty") == "5-4>0"
    assert chosen("easy", LAST_TWO) == "5-4>0"


def test_the_easy_bot_calls_whoever_did_not_announce_before_anything_else() -> None:
    exposed = LAST_TWO.replace("turn 0", "turn 0; exposed 1").replace("7-1 8-8", "7-1")
    assert chosen("easy", exposed, announce="penalty") == "call 1"


@pytest.mark.parametrize("level", BOTS)
def test_a_bot_that_is_not_to_move_calls_whoever_did_not_announce(level: str) -> None:
    state = drawn(f"{LAST_TWO}\n2: | 9-9 1-1".replace("turn 0", "turn 0; exposed 1"), announce="penalty")
    assert move_text(choose(level, view_for(state, 2), Chance())) == "call 1"


def test_the_easy_bot_is_never_caught() -> None:
    for number in range(20):
        source = random.Random(number)
        state = presets_deal("tapper", 3, source)
        announced = 0
        while state.ended is None:
            move = choose("easy", view_for(state, state.turn), source.randrange)
            announced += move_text(move) == "announce"
            state = apply(state, move)
            assert state.standing.exposed is None
        assert state.out is None or announced > 0


def test_the_easy_bot_ends_a_long_first_turn_only_where_it_can_lay_nothing() -> None:
    long = "engine 12-12; turn 0; first 0 1; laid 1\n0: 12-5 | 5-4 9-8\n1: | 9-7\nmexican:"
    assert chosen("easy", long, first_turn_length="unlimited") == "5-4>0"
    assert chosen("easy", long.replace("5-4 ", ""), first_turn_length="unlimited") == "end"


def test_the_easy_bot_lays_a_tile_where_it_may_draw_or_pass_instead() -> None:
    position = "engine 12-12; turn 0; drew 1; boneyard 3-2\n0: | 12-0\n1: | 9-7\nmexican:"
    assert chosen("easy", position, must_play=False) == "12-0>0"


@pytest.mark.parametrize(
    ("position", "options", "move"),
    [
        (THREE_WAYS, {}, "5-1>0"),
        (THREE_WAYS.replace("5-4 5-1 12-9", "4-1"), {}, "pass"),
        (LAST_TWO, {}, "5-4>0"),
        (LAST_TWO, {"announce": "penalty"}, "announce"),
        (LAST_TWO.replace("turn 0", "turn 0; announced 0"), {"announce": "penalty"}, "5-4>0"),
        (LAST_TWO.replace("5-4 9-8", "9-8 9-7"), {"announce": "penalty"}, "draw"),
        (LAST_TWO.replace("turn 0", "turn 0; first 0 1"), {"first_turn_length": "unlimited"}, "5-4>0"),
        (LAST_TWO.replace("turn 0", "turn 0; first 0 1; laid 1"), {"first_turn_length": "unlimited"}, "end"),
        (LAST_TWO.replace("turn 0", "turn 0; drew 1"), {"drawn_tile": "may"}, "5-4>0"),
    ],
)
def test_the_clock_announces_or_ends_a_long_first_turn_or_makes_the_first_move(
    position: str, options: dict[str, object], move: str
) -> None:
    assert move_text(clocks_move(drawn(position, **options))) == move


def test_the_clock_calls_nobody() -> None:
    exposed = drawn(
        LAST_TWO.replace("turn 0", "turn 0; exposed 1").replace("5-4 9-8", "9-8 9-7 9-6"), announce="penalty"
    )
    assert move_text(clocks_move(exposed)) == "draw"
