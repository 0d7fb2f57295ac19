"""Pictures of all positions: nothing overlaps or sticks out, and each tile is drawn once."""

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import fields, replace
from itertools import combinations, pairwise
from math import cos, radians
from random import Random
from typing import Any
from uuid import UUID
from xml.etree import ElementTree as ET

import pytest
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from rules.mexican_train.notation import train_text
from rules.mexican_train.options import Options
from rules.mexican_train.presets import PRESETS, rules_of
from rules.mexican_train.state import State
from rules.mexican_train.view import view_for
from rules.tiles import tile_texts, tiles_in
from tables import snapshots
from tables.presenters.mexican_train import drawing
from tables.presenters.mexican_train.drawing.layout import PAGES, TILE, WIDE, Lane, Layout, Placed, laid_out, lay_out
from tables.presenters.mexican_train.drawing.markup import HUB
from tables.presenters.mexican_train.drawing.scene import Scene, Seat, Train, is_double, past_scene, present_scene
from tables.presenters.mexican_train.drawing.words import clean, fitted
from tables.presenters.mexican_train.trains import present_trains
from tables.presenters.positions import present_position
from tables.snapshots import RoundFacts, SeatFacts, Snapshot
from tests.cases import slow_after
from tests.rules.random_rules import RandomDeal, random_deal, random_play
from tests.tables.test_board import tiles_drawn

Box = tuple[float, float, float, float]
NAMES: dict[int, str | None] = dict(enumerate(["Alice", "Bob", "<b>&", "李小龍" * 9, "", "x" * 60]))
ROUNDING = 1e-6
AFTER = (0, 5, 30, 100, 10_000)


def shown_at(deal: RandomDeal, state: State, viewer: int | None) -> dict[str, Any]:
    """The API's answer about a table with this state of a round, without a database."""
    facts = {"engine": deal.engine, "first_seat": deal.first, "starter": deal.state.turn}
    played = RoundFacts(1, deal.round_index + 1, facts, "", snapshots.tiles_to(deal.order), ())
    seats = tuple(
        SeatFacts(
            id=at,
            number=at,
            player=UUID(int=at),
            name="Alice",
            kind="person",
            bot_level=None,
            stand_in="easy" if at == 1 else "",
            stand_in_until="return" if at == 1 else "",
            total=37,
            timeouts=0,
        )
        for at in range(deal.seats)
    )
    known: dict[str, Any] = dict.fromkeys(field.name for field in fields(Snapshot))
    known |= {
        "id": UUID(int=99),
        "status": "playing",
        "version": 1,
        "game": "mexican_train",
        "engine_version": 1,
        "next_number": 1,
    }
    known |= {"options_text": json.dumps(deal.options.as_dict()), "seats": seats, "round": played, "turn": state.turn}
    snapshot = Snapshot(**known)
    snapshot.__dict__["_replayed"] = state, state
    return dict(present_position(snapshot, None if viewer is None else UUID(int=viewer), timezone.now()))


def past_at(state: State) -> dict[str, Any]:
    """The same of a round that is over."""
    view = view_for(state, None)
    return {
        "round": 1,
        "turn": None if state.ended else {"seat": state.turn},
        "trains": present_trains(view),
        "open_doubles": [train_text(each.train) for each in view.open_doubles],
        "boneyard": tile_texts(state.boneyard),
        "hands": [tile_texts(tiles_in(hand)) for hand in state.hands],
    }


def scenes(chance: Random, rules: tuple[Options, int] | None = None) -> Iterator[tuple[Scene, list[str]]]:
    """Positions of a random round as one caller gets them, with the visible tiles."""
    deal = random_deal(chance, rules)
    states = [deal.state, *(after for _, _, after in random_play(deal.state, chance))]
    for state in {min(at, len(states) - 1): states[min(at, len(states) - 1)] for at in AFTER}.values():
        viewer = chance.choice([None, state.turn, chance.randrange(deal.seats)])
        for shown in (shown_at(deal, state, viewer), past_at(state)):
            make = past_scene if "hands" in shown else present_scene
            yield make(shown, NAMES), tiles_told(shown)


def tiles_told(shown: dict[str, Any]) -> list[str]:
    """Every tile that is named, the viewer's hand only once, without the engine."""
    own = shown.get("you") or {"seat": None, "tiles": []}
    hands = [seat["tiles"] for seat in shown.get("seats", ()) if "tiles" in seat and seat["seat"] != own["seat"]]
    laid = [train["tiles"] for train in shown["trains"]]
    return [tile for each in (*laid, *hands, *shown.get("hands", ()), own["tiles"]) for tile in each]


def check(scene: Scene, tiles: list[str]) -> None:
    for shape, page in PAGES.items():
        layout = lay_out(scene, page)
        assert Counter(each.tile for each in layout.tiles) == Counter(tiles)
        check_room(layout)
        for lane in layout.lanes:
            check_lane(lane)
        engine = f"{scene.engine}-{scene.engine}"
        assert tiles_drawn(ET.fromstring(drawing.drawn(scene, shape))) == Counter([engine, *tiles])


def check_room(layout: Layout) -> None:
    """Tiles, labels, chips and the engine do not overlap."""
    x, y = layout.hub
    labels = [(lane.left, lane.top, lane.left + layout.page.run, lane.top + lane.label) for lane in layout.lanes]
    chips = [(lane.chip[0] - 10, lane.chip[1] - 10, lane.chip[0] + 10, lane.chip[1] + 10) for lane in layout.lanes]
    boxes = [*(each.box for each in layout.tiles), *labels, *chips, (x - HUB, y - HUB, x + HUB, y + HUB)]
    for left, top, right, bottom in boxes:
        assert left >= 0
        assert top >= 0
        assert right <= layout.page.width
        assert bottom <= layout.height
    for one, other in combinations(boxes, 2):
        assert not overlap(one, other), (one, other)


def overlap(one: Box, other: Box) -> bool:
    left, top = max(one[0], other[0]), max(one[1], other[1])
    right, bottom = min(one[2], other[2]), min(one[3], other[3])
    return right - left > ROUNDING and bottom - top > ROUNDING


def check_lane(lane: Lane) -> None:
    """Doubles lie across, the other tiles along; each tile begins where the one before it ends."""
    for each in lane.tiles:
        assert each.angle % 180 == (90 if is_double(each.tile) else 0)
    for before, after in pairwise(lane.tiles):
        assert before.tile.partition("-")[2] == after.tile.partition("-")[0]
        if before.y == after.y:
            assert faces(after, before.x)
            assert faces(before, after.x) is is_double(before.tile)
            assert abs(before.x - after.x) <= 2 * TILE + 2
        else:
            assert after.y - before.y > 2 * TILE


def faces(tile: Placed, x: float) -> bool:
    """Whether its first end looks there; both do of a tile that lies across."""
    return is_double(tile.tile) or (tile.x - x) * cos(radians(tile.angle)) > 0


@pytest.mark.parametrize("seed", slow_after(2, range(25)))
def test_every_tile_of_any_position_has_room(seed: int) -> None:
    for scene, tiles in scenes(Random(seed)):
        check(scene, tiles)


@pytest.mark.parametrize("preset", slow_after(1, PRESETS))
def test_every_rule_set_can_be_drawn(preset: str) -> None:
    options = rules_of(preset, {})
    for seats in (min(options.hand_sizes), max(options.hand_sizes)):
        for scene, tiles in scenes(Random(seats), (options, seats)):
            check(scene, tiles)


@pytest.mark.parametrize("seats", slow_after(2, range(2, 13)))
def test_the_picture_for_a_desk_is_wide_for_any_number_of_seats(seats: int) -> None:
    preset = next(name for name in PRESETS if seats in rules_of(name, {}).hand_sizes)
    for scene, tiles in scenes(Random(seats), (rules_of(preset, {}), seats)):
        layout = laid_out(scene, "wide")
        assert layout.page.width >= WIDE * layout.height
        check_room(layout)
        assert Counter(each.tile for each in layout.tiles) == Counter(tiles)
        _, _, width, height = map(float, ET.fromstring(drawing.drawn(scene, "wide")).attrib["viewBox"].split())
        assert width >= WIDE * height


def test_trains_lie_clockwise_in_the_order_of_the_seats() -> None:
    """Clockwise from the top left."""
    scene = replace(next(scenes(Random(0), (rules_of("classic", {}), 4)))[0], hand=None)
    lanes = lay_out(scene, PAGES["tall"]).lanes
    assert [lane.train.name for lane in lanes] == ["0", "mexican", "3", "1", "2"]
    assert [lane.left for lane in lanes] == sorted(lane.left for lane in lanes)


@given(st.text(max_size=60))
def test_any_name_can_be_drawn(name: str) -> None:
    scene = Scene("open", None, None, None, None, 0, (Seat(0, name, 0),), (Train("0"),))
    root = ET.fromstring(drawing.drawn(scene, "tall"))
    assert clean(name)[:3] in "".join(root.itertext())


@pytest.mark.parametrize(
    ("name", "cleaned"),
    [
        ("Alice", "Alice"),
        ("  two   words\n", "two words"),
        ("\x00\x1b", "\ufffd\ufffd"),
        ("\ufffe", "\ufffd"),
        ("\ud800", "\ufffd"),
        ("a\u202eb\u2066", "ab"),
        ("</text>&amp;", "</text>&amp;"),
    ],
)
def test_a_name_is_made_valid_for_xml(name: str, cleaned: str) -> None:
    assert clean(name) == cleaned


def test_a_text_is_cut_to_its_width() -> None:
    assert fitted("Alice", 100, 18) == "Alice"
    assert fitted("x" * 60, 100, 18) == "x" * 8 + "…"
    assert fitted("W" * 60, 100, 18) == "W" * 4 + "…"
    assert len(fitted("李" * 60, 100, 18)) < len(fitted("x" * 60, 100, 18))
    assert fitted("e\u0301" * 5, 100, 18) == "e\u0301" * 5
