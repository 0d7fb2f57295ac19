"""Where presets differ: for every two of them the first position where one allows, or makes, what the other does not.

``preset_differences.json`` holds a line a pair: the number of a fixed deal, its seats, the moves made by both presets,
and what differs then. All are dealt as *classic* deals, set, hands and engine, so that the difference is one of play
wherever there is one, and of many the one after the fewest moves. The others are told apart by the deal that each makes
by its own rules. ``python -m tests.rules.test_preset_differences`` looks for all of them anew and writes the file.
"""

import json
import random
from collections.abc import Mapping
from itertools import combinations
from pathlib import Path
from typing import TypeAlias, TypedDict

import pytest

from rules.errors import IllegalMove
from rules.mexican_train.dealing import choose_engine, deal
from rules.mexican_train.legality import legal_moves
from rules.mexican_train.notation import move_text, open_double_text, parse_move, train_text
from rules.mexican_train.options import Options
from rules.mexican_train.presets import PRESETS, rules_of
from rules.mexican_train.scoring import round_points
from rules.mexican_train.state import State, train_names
from rules.mexican_train.transitions import apply
from rules.mexican_train.view import view_for
from rules.shuffling import shuffled
from rules.tiles import double, set_size, tile_text

pytestmark = pytest.mark.by_chance

FILE = Path(__file__).parent / "preset_differences.json"
SECRET = bytes(range(32))
CLASSIC = rules_of("classic", {}).as_dict()
DEALT_AS_CLASSIC = {
    option: CLASSIC[option] for option in ("set_max_pip", "hand_sizes", "engine_selection", "round_starter")
}
DEALS = range(1, 31)
"""Each is played once, at each number of seats in turn."""
MOST_SHOWN = 4

Pair: TypeAlias = tuple[str, str]
PAIRS: list[Pair] = list(combinations(PRESETS, 2))


class Line(TypedDict):
    """The line of the file for a pair of presets."""

    deal: int
    seats: int
    moves: str
    differs: str


def name(pair: Pair) -> str:
    return " / ".join(pair)


def own_rules(pair: Pair) -> tuple[Options, Options]:
    one, other = (rules_of(preset, {}) for preset in pair)
    return one, other


def seats_of_both(pair: Pair) -> list[int]:
    one, other = own_rules(pair)
    return [seats for seats in one.hand_sizes if seats in other.hand_sizes]


def lines() -> dict[str, Line]:
    recorded: dict[str, Line] = json.loads(FILE.read_text())
    return recorded


# Play: the same deal, and the same moves for as long as both allow them.


def same_deal(pair: Pair, number: int, seats: int) -> tuple[State, State]:
    """One deal, by both presets."""
    one, other = (first_state(rules_of(preset, DEALT_AS_CLASSIC), number, seats) for preset in pair)
    return one, other


def first_state(options: Options, number: int, seats: int) -> State:
    order = shuffled(SECRET, "differences", number, [], options.set_max_pip)
    engine = choose_engine(options, seats, 0, (), 0, order)
    return deal(options, seats, engine, 0, order)


def difference(pair: Pair, one: State, other: State) -> str | None:
    """What differs in two rounds that have come the same way: what can be seen, or what may be done."""
    return difference_of_facts(pair, facts(one), facts(other)) or difference_of_moves(pair, one, other)


def difference_of_facts(pair: Pair, one: Mapping[str, object], other: Mapping[str, object]) -> str | None:
    for fact, value in one.items():
        if other[fact] != value:
            return f"{fact}: {value} by {pair[0]}, {other[fact]} by {pair[1]}"
    return None


def facts(state: State) -> dict[str, object]:
    """What everybody sees of a round whose tiles have come the same way."""
    view = view_for(state, None)
    marked = [train_text(train) for train in train_names(state.setup.seats) if state.trains[train].is_marked]
    return {
        "ended": state.ended,
        "out": state.out,
        "points": list(round_points(state)) if state.ended else None,
        "turn": state.turn,
        "open doubles": " ".join(map(open_double_text, view.open_doubles)) or None,
        "marked trains": " ".join(marked) or None,
        "tiles in hand": list(view.hand_counts),
        "known to have one tile": list(view.announced),
        "may be called": view.exposed,
    }


def difference_of_moves(pair: Pair, one: State, other: State) -> str | None:
    first, second = move_texts(one), move_texts(other)
    only = [(preset, mine - yours) for preset, mine, yours in zip(pair, (first, second), (second, first), strict=True)]
    return "; ".join(f"only {preset} allows {some_of(moves)}" for preset, moves in only if moves) or None


def move_texts(state: State) -> set[str]:
    return {move_text(move) for move in legal_moves(state)}


def some_of(moves: set[str]) -> str:
    shown, more = sorted(moves)[:MOST_SHOWN], len(moves) - MOST_SHOWN
    return " ".join(shown) + (f" and {more} more" if more > 0 else "")


def walk(pair: Pair, number: int, seats: int) -> Line | None:
    """Random moves from a deal until something differs; nothing if nothing does to the end of the round."""
    (one, other), chance, made = same_deal(pair, number, seats), random.Random(number), list[str]()
    while (differs := difference(pair, one, other)) is None:
        if one.ended is not None:
            return None
        made.append(chance.choice(sorted(move_texts(one))))
        one, other = (apply(state, parse_move(made[-1])) for state in (one, other))
    return Line(deal=number, seats=seats, moves=" ".join(made), differs=differs)


def walks(pair: Pair) -> list[Line]:
    """The differences found in all the deals."""
    return [found for number in DEALS if (found := walk(pair, number, 2 + number % 7))]


# The deal: each by its own rules.


def deals_differ(pair: Pair, number: int, seats: int) -> str | None:
    one, other = (facts_of_deal(first_state(options, number, seats)) for options in own_rules(pair))
    differs = difference_of_facts(pair, one, other)
    return differs and f"the deal: {differs}"


def facts_of_deal(state: State) -> dict[str, object]:
    return {
        "tiles in the set": set_size(state.setup.options.set_max_pip),
        "tiles in hand": [hand.bit_count() for hand in state.hands],
        "engine": tile_text(double(state.setup.engine)),
        "turn": state.turn,
    }


def numbers_of_seats(pair: Pair) -> str:
    one, other = (" ".join(map(str, options.hand_sizes)) for options in own_rules(pair))
    return f"the deal: seats: {one} by {pair[0]}, {other} by {pair[1]}"


def line_of_deal(pair: Pair) -> Line:
    """The first deal that differs; where no number of seats is common to both, there is none to compare."""
    for number in DEALS:
        for seats in seats_of_both(pair):
            if differs := deals_differ(pair, number, seats):
                return Line(deal=number, seats=seats, moves="", differs=differs)
    return Line(deal=0, seats=0, moves="", differs=numbers_of_seats(pair))


def line_of(pair: Pair) -> Line:
    """The difference after the fewest moves of play, else that of the deal."""
    of_play = sorted(walks(pair), key=lambda line: len(line["moves"].split()))
    return of_play[0] if of_play else line_of_deal(pair)


def record() -> None:
    texts = [f"{json.dumps(name(pair))}: {json.dumps(line_of(pair))}" for pair in PAIRS]
    FILE.write_text("{\n" + ",\n".join(texts) + "\n}\n")


# Checks of the file


def is_of_deal(line: Line) -> bool:
    return line["differs"].startswith("the deal: ")


def check_play(pair: Pair, line: Line) -> None:
    """Up to the last of the moves there is no difference, and then there is this one."""
    one, other = same_deal(pair, line["deal"], line["seats"])
    for move in map(parse_move, line["moves"].split()):
        assert difference(pair, one, other) is None
        one, other = apply(one, move), apply(other, move)
    assert difference(pair, one, other) == line["differs"]


def check_deal(pair: Pair, line: Line) -> None:
    if line["seats"]:
        assert deals_differ(pair, line["deal"], line["seats"]) == line["differs"]
    else:
        assert seats_of_both(pair) == []
        assert numbers_of_seats(pair) == line["differs"]


def check_line(pair: Pair, line: Line) -> None:
    if is_of_deal(line):
        check_deal(pair, line)
    else:
        check_play(pair, line)


def test_every_two_presets_differ() -> None:
    assert list(lines()) == [name(pair) for pair in PAIRS]
    assert len(PAIRS) == 231


@pytest.mark.parametrize("preset", PRESETS)
def test_where_a_preset_differs_first_from_each_after_it(preset: str) -> None:
    for pair in PAIRS:
        if pair[0] == preset:
            check_line(pair, lines()[name(pair)])


OFFICIAL = ("official_d12", "official_d9", "official_d15", "official_d18")


@pytest.mark.slow
@pytest.mark.parametrize("pair", [("classic", "galt"), *combinations(OFFICIAL, 2)], ids=name)
def test_presets_that_do_not_differ_in_play_differ_in_the_deal(pair: Pair) -> None:
    assert walks(pair) == []
    assert is_of_deal(lines()[name(pair)])


def test_all_others_differ_in_play() -> None:
    of_deal = [pair for pair in PAIRS if is_of_deal(lines()[name(pair)])]
    assert of_deal == [("classic", "galt"), *combinations(OFFICIAL, 2)]


@pytest.mark.parametrize("part", ["moves", "differs", "deal"])
def test_a_wrong_line_of_the_file_is_found(part: str) -> None:
    """One move fewer, another difference, another deal."""
    pair = ("classic", "chain")
    line = lines()[name(pair)]
    wrong: dict[str, Line] = {
        "moves": {**line, "moves": line["moves"].rpartition(" ")[0]},
        "differs": {**line, "differs": line["differs"].replace("2-2", "2-1")},
        "deal": {**line, "deal": line["deal"] + 1},
    }
    check_line(pair, line)
    with pytest.raises((AssertionError, IllegalMove)):
        check_line(pair, wrong[part])


if __name__ == "__main__":
    record()
