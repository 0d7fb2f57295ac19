"""House rules as data, their limits, and the questions the engine asks of them (``rules.md`` §5).

No other file compares an option with a value: a rule that varies is a question here.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from rules.errors import BadOption
from rules.option_values import HandSizes, Kind, OneOf, SubsetOf, WholeNumber
from rules.tiles import SET_SIZES, Tile, set_size

MOST_SEATS = 12


def any_of(*values: object, default: object) -> OneOf:
    """An option of which this version plays every value."""
    return OneOf(values, values, default)


def only(default: object, *others: object) -> OneOf:
    """An option of which this version plays the classic value and knows the others."""
    return OneOf((default, *others), (default,), default)


KINDS: dict[str, Kind] = {
    "set_max_pip": any_of(*SET_SIZES, default=12),
    "hand_sizes": HandSizes(MOST_SEATS, default={2: 15, 3: 15, 4: 15, 5: 12, 6: 12, 7: 10, 8: 10}),
    "hands_visible": only(False, True),
    "engine_selection": only(
        "set_aside",
        "holder_all_draw",
        "holder_turn_draw",
        "holder_or_next_lower",
        "highest_held",
        "starter_highest",
    ),
    "engine_first": WholeNumber(0),
    "rounds": WholeNumber(1),
    "round_starter": only("rotate", "engine_holder", "left_of_engine_holder", "lowest_total"),
    "first_round_starter": only("seat_0", "random"),
    "first_turn_length": only("one", "unlimited"),
    "first_turn_trains": only("any_eligible", "own_or_mexican", "own_only"),
    "first_turn_double": only("normal", "deferred"),
    "first_turn_out": only("immediate", "finish_lap"),
    "mexican_start": only("any_turn", "second_turn", "all_trains_started", "never"),
    "own_train_required_for": SubsetOf(("mexican", "open_trains", "covering"), played=()),
    "open_empty_train_playable": only(True, False),
    "train_privacy": only("marker", "public_until_own_play", "always_public"),
    "must_play": only(True, False),
    "draw_rule": only("one", "until_playable", "until_playable_if_unstarted"),
    "drawn_tile": only("must", "may"),
    "draw_scope": only("per_placement", "per_turn"),
    "marker_on_fail": only("always", "if_nothing_played"),
    "marker_on_empty_boneyard": only(True, False),
    "marker_clear": only("auto_own_play", "optional_own_play", "any_play"),
    "double_follow_up": only("cover", "anywhere", "none"),
    "doubles_per_turn": only(1, 2, None),
    "chain_follow_up": only("first_double", "anywhere", "last_double", "any_open_double"),
    "cover_continues": only(False, True),
    "double_obligation": only("table", "one_lap", "layer_only", "none"),
    "double_close_order": only("in_order", "reverse"),
    "cover_fail_marker": only("all", "layer_exempt"),
    "dead_double": only("lifts", "blocks"),
    "finish_on_double": only("ends_round", "must_cover"),
    "announce": only("off", "automatic", "penalty"),
    "announce_penalty_tiles": only(2, 1),
    "blocked_detection": only("pass_lap_and_no_move", "pass_lap", "no_move"),
    "double_blank_points": any_of(0, 25, 50, default=0),
    "blank_half_points": any_of(0, 5, 25, default=0),
    "double_factor": any_of(1, 2, default=1),
    "going_out_points": any_of(0, -5, -10, default=0),
    "blocked_lowest_zero": any_of(True, False, default=False),
    "tie_break": any_of("shared", "zero_rounds_then_low_round", default="shared"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """The rules of one table, complete and checked. ``resolve`` makes one."""

    set_max_pip: int
    hand_sizes: Mapping[int, int]
    hands_visible: bool
    engine_selection: str
    engine_first: int
    rounds: int
    round_starter: str
    first_round_starter: str
    first_turn_length: str
    first_turn_trains: str
    first_turn_double: str
    first_turn_out: str
    mexican_start: str
    own_train_required_for: tuple[str, ...]
    open_empty_train_playable: bool
    train_privacy: str
    must_play: bool
    draw_rule: str
    drawn_tile: str
    draw_scope: str
    marker_on_fail: str
    marker_on_empty_boneyard: bool
    marker_clear: str
    double_follow_up: str
    doubles_per_turn: int | None
    chain_follow_up: str
    cover_continues: bool
    double_obligation: str
    double_close_order: str
    cover_fail_marker: str
    dead_double: str
    finish_on_double: str
    announce: str
    announce_penalty_tiles: int
    blocked_detection: str
    double_blank_points: int
    blank_half_points: int
    double_factor: int
    going_out_points: int
    blocked_lowest_zero: bool
    tie_break: str

    def as_dict(self) -> dict[str, Any]:
        """Every option as JSON has it: maps have text keys, lists are lists."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        values["hand_sizes"] = {str(seats): tiles for seats, tiles in self.hand_sizes.items()}
        values["own_train_required_for"] = list(self.own_train_required_for)
        return values

    # The questions. Each is asked by the one function of the engine that is named after the rule.

    def draws_allowed(self) -> int:
        """How many tiles a stuck seat may draw before it must pass."""
        return 1

    def points_of(self, tile: Tile) -> int:
        """What a tile left in hand counts (``rules.md`` §4)."""
        if tile.pips == 0:
            return self.double_blank_points
        if tile.is_double:
            return tile.pips * self.double_factor
        return tile.pips + (self.blank_half_points if tile.low == 0 else 0)

    def breaks_ties_by_rounds(self) -> bool:
        """Whether equal lowest totals are told apart by zero rounds, then the lowest other round."""
        return self.tie_break == "zero_rounds_then_low_round"


def resolve(overrides: Mapping[str, object]) -> Options:
    """The classic rules with these differences. Raises ``BadOption`` naming the first one that is wrong."""
    for option in overrides:
        if option not in KINDS:
            raise BadOption(str(option)[:100], "there is no such option.")
    values: dict[str, Any] = {
        option: kind.read(option, overrides.get(option, kind.default)) for option, kind in KINDS.items()
    }
    fill_dependent(values)
    return Options(**values)


def fill_dependent(values: dict[str, Any]) -> None:
    """Fill in and check what depends on the set: the first engine, and how many rounds there can be."""
    highest = values["set_max_pip"]
    if values["engine_first"] is None:
        values["engine_first"] = highest
    if values["engine_first"] > highest:
        raise BadOption("engine_first", f"a double-{highest} set has engines from 0 to {highest}.")
    most = values["engine_first"] + 1
    if values["rounds"] is None:
        values["rounds"] = most
    if values["rounds"] > most:
        raise BadOption("rounds", f"from engine {most - 1} down there are at most {most} rounds.")


def hand_size(options: Options, seats: int) -> int:
    """How many tiles each of so many seats is dealt. Raises ``BadOption`` where that cannot be dealt."""
    if seats not in options.hand_sizes:
        allowed = ", ".join(map(str, options.hand_sizes))
        raise BadOption("hand_sizes", f"these rules are for {allowed} seats, not {seats}.")
    tiles = options.hand_sizes[seats]
    in_set = set_size(options.set_max_pip)
    if seats * tiles + 1 > in_set:
        largest = (in_set - 1) // seats
        raise BadOption("hand_sizes", f"{seats} seats can be dealt at most {largest} of {in_set} tiles, not {tiles}.")
    return tiles
