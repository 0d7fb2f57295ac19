"""The scenarios of ``tests/scenarios``: executable examples of the rules, written before the engine was."""

import json
from pathlib import Path
from typing import Any

import pytest

from rules.errors import BadOption, IllegalMove
from rules.mexican_train.dealing import choose_engine, deal
from rules.mexican_train.doubles import visible_doubles
from rules.mexican_train.legality import legal_moves
from rules.mexican_train.match import first_seat_of, winners
from rules.mexican_train.moves import MEXICAN
from rules.mexican_train.notation import move_text, parse_move, parse_position, train_text
from rules.mexican_train.options import Options
from rules.mexican_train.presets import rules_of
from rules.mexican_train.scoring import round_points
from rules.mexican_train.state import State, train_names
from rules.mexican_train.transitions import apply
from rules.tiles import double, double_set, tile_text

FOLDER = Path(__file__).parent.parent / "scenarios"
Case = dict[str, Any]


def loaded(name: str) -> Any:
    return json.loads((FOLDER / name).read_text())


ROUNDS: list[Case] = loaded("rounds.json") + loaded("own_rounds.json")
MATCHES: dict[str, list[Case]] = loaded("matches.json")
DEALS = [row for row in MATCHES["deals"] if "refused" not in row]
REFUSED_DEALS = [row for row in MATCHES["deals"] if "refused" in row]


def test_no_case_is_lost_on_the_way() -> None:
    assert len(loaded("rounds.json")) == 46
    assert len({case["id"] for case in ROUNDS}) == len(ROUNDS)
    assert (len(DEALS), len(REFUSED_DEALS)) == (25, 13)
    assert (len(MATCHES["matches"]), len(MATCHES["winners"])) == (4, 5)


def line(position: Case, name: str) -> str:
    words = [*position["trains"].get(name, []), *(["marked"] if name in position["marked"] else [])]
    hand = [] if name == train_text(MEXICAN) else ["|", *position["hands"][name]]
    return " ".join([f"{name}:", *words, *hand])


def state_of(case: Case) -> State:
    """The position of a scenario, by way of the text that the other tests draw."""
    position = case["position"]
    clauses = [
        f"engine {position['engine']}",
        f"turn {position['turn']}",
        " ".join(["boneyard", *position["boneyard"]]),
    ]
    if opened := [f"{each['train']}/{each['layer']}" for each in position.get("open_doubles", [])]:
        clauses.append(" ".join(["open", *opened]))
    had_first_turn = position.get("first_turn_done", range(position["seats"]))
    if first := [str(seat) for seat in range(position["seats"]) if seat not in had_first_turn]:
        clauses.append(" ".join(["first", *first]))
    lines = [line(position, train_text(name)) for name in train_names(position["seats"])]
    return parse_position("\n".join(["; ".join(clauses), *lines]), rules_of("classic", case["options"]))


def check_step(state: State, step: Case) -> State:
    """One step; the state after it."""
    (kind, told), *more = step.items()
    assert not more
    match kind:
        case "legal":
            assert sorted(map(move_text, legal_moves(state))) == sorted(told)
        case "do":
            return apply(state, parse_move(told))
        case "refused":
            with pytest.raises(IllegalMove):
                apply(state, parse_move(told))
        case _:
            assert kind == "now"
            facts = facts_of(state)
            assert {fact: facts[fact] for fact in told if fact != "ends"} == {
                fact: value for fact, value in told.items() if fact != "ends"
            }
            assert {name: facts["ends"][name] for name in told.get("ends", {})} == told.get("ends", {})
    return state


def facts_of(state: State) -> Case:
    trains = [(train_text(name), state.trains[name]) for name in train_names(state.setup.seats)]
    return {
        "turn": state.turn,
        "marked": [name for name, train in trains if train.is_marked],
        "open_doubles": [train_text(each.train) for each in visible_doubles(state)],
        "ends": {name: train.end for name, train in trains},
        "ended": state.ended,
        "out": state.out,
        "points": list(round_points(state)),
    }


@pytest.mark.parametrize("case", [pytest.param(case, id=f"{case['id']} {case['title']}") for case in ROUNDS])
def test_a_round(case: Case) -> None:
    state = state_of(case)
    for step in case["steps"]:
        state = check_step(state, step)


def options_of(row: Case) -> Options:
    return rules_of(row["preset"], row.get("options", {}))


@pytest.mark.parametrize("row", DEALS, ids=lambda row: f"{row['preset']} {row['seats']} seats")
def test_a_deal(row: Case) -> None:
    options = options_of(row)
    order = double_set(options.highest_pip)
    engine = choose_engine(options, row["seats"], 0, (), 0, order)
    state = deal(options, row["seats"], engine, 0, order)
    assert {hand.bit_count() for hand in state.hands} == {row["tiles_each"]}
    assert len(state.boneyard) == row["boneyard"]
    assert tile_text(double(engine)) == row["engine"]


@pytest.mark.parametrize("row", REFUSED_DEALS, ids=lambda row: f"{row.get('options', {})} {row['seats']} seats")
def test_a_deal_that_is_refused(row: Case) -> None:
    with pytest.raises(BadOption) as refused:
        deal(options_of(row), row["seats"], 12, 0, double_set(12))
    assert refused.value.option == row["refused"]


@pytest.mark.parametrize("row", MATCHES["matches"], ids=lambda row: row["title"])
def test_a_match(row: Case) -> None:
    options = options_of(row)
    seats, order, engines = row["seats"], double_set(options.highest_pip), list[int]()
    for each in range(options.round_count):
        first = first_seat_of(options, seats, each, 0, [0] * seats)
        engines.append(choose_engine(options, seats, each, engines, first, order))
        if "starters" in row:
            assert deal(options, seats, engines[-1], first, order).turn == row["starters"][each]
    assert engines == row["engines"]


@pytest.mark.parametrize("row", MATCHES["winners"], ids=lambda row: row["title"])
def test_winners(row: Case) -> None:
    options = rules_of("classic", row["options"])
    seats = len(row["points_by_round"][0])
    assert winners(options, row["points_by_round"], [True] * seats) == row["winners"]
