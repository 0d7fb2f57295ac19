"""The matches that are recorded: a whole one for each preset, and small ones for what no preset has."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from rules.mexican_train.options import OPTIONS
from rules.mexican_train.options.kinds import OneOf
from rules.mexican_train.presets import rules_of
from tests.rules.test_scoring import COUNTED


@dataclass(frozen=True)
class Plan:
    """A table as it is opened. Seats that are not ``persons`` are bots; a person plays at random, and calls.

    With ``forfeits``, the person who leads in the last round lets the time run out. ``tells`` are values that options
    could have instead: the match is played anew until it could not have been played so by any of them.
    """

    name: str
    preset: str
    seats: int
    options: Mapping[str, object] = field(default_factory=dict)
    persons: tuple[int, ...] = ()
    forfeits: bool = False
    tells: Mapping[str, tuple[object, ...]] = field(default_factory=dict)


SILENT = {
    ("hands_visible", False, True),
    ("hands_visible", True, False),
    ("announce", "off", "automatic"),
    ("announce", "off", "penalty"),
    ("announce", "automatic", "off"),
    ("announce", "automatic", "penalty"),
    ("first_turn_trains", "own_only", "own_or_mexican"),
    ("mexican_start", "second_turn", "any_turn"),
    ("must_play", True, False),
    ("drawn_tile", "must", "may"),
    ("marker_clear", "auto_own_play", "optional_own_play"),
}
"""An option, its value in a match, and another that the match is not told from.

A value that only allows more leaves what was played legal, and some options are about what is shown.
"""


def of_preset(preset: str, seats: int) -> Plan:
    return Plan(preset, preset, seats)


def small(name: str, seats: int, tiles: int, persons: tuple[int, ...] = (), **options: object) -> Plan:
    """A double-six match of the classic rules with these differences."""
    sizes = {"set_max_pip": 6, "hand_sizes": {str(seats): tiles}}
    return Plan(name, "classic", seats, {**sizes, **options}, persons)


def telling(plan: Plan, **tells: tuple[object, ...]) -> Plan:
    return replace(plan, tells=tells)


PRESETS = (
    of_preset("classic", 4),
    of_preset("official_d12", 3),
    of_preset("official_d9", 2),
    of_preset("official_d15", 9),
    of_preset("official_d18", 12),
    of_preset("official_reverse", 5),
    of_preset("tournament", 4),
    of_preset("open_start", 2),
    of_preset("long_trains", 4),
    of_preset("cardinal", 3),
    of_preset("pressman", 6),
    of_preset("galt", 4),
    of_preset("box_cars", 7),
    of_preset("family", 3),
    of_preset("rv_club", 8),
    of_preset("deluxe", 4),
    of_preset("chain", 3),
    of_preset("own_first", 2),
    of_preset("tapper", 4),
    of_preset("plain_doubles", 3),
    of_preset("private_trains", 2),
    of_preset("draw_until", 5),
)
FURTHER = (
    small(
        "called",
        seats=3,
        tiles=6,
        persons=(0, 1, 2),
        announce="penalty",
        announce_penalty_tiles=1,
        double_blank_points=25,
        blank_half_points=5,
    ),
    small(
        "must_cover",
        seats=4,
        tiles=5,
        persons=(2,),
        finish_on_double="must_cover",
        double_follow_up="anywhere",
        doubles_per_turn=2,
        chain_follow_up="any_open_double",
        dead_double="blocks",
        going_out_points=-10,
    ),
    small(
        "one_lap",
        seats=3,
        tiles=7,
        double_obligation="one_lap",
        doubles_per_turn=None,
        marker_on_fail="if_nothing_played",
        draw_scope="per_turn",
        double_factor=2,
        blocked_lowest_zero=True,
    ),
    small(
        "layer_only",
        seats=4,
        tiles=6,
        persons=(1,),
        double_obligation="layer_only",
        doubles_per_turn=None,
        double_close_order="reverse",
        cover_continues=True,
        cover_fail_marker="layer_exempt",
        own_train_required_for=["covering"],
        blocked_detection="pass_lap",
    ),
    small(
        "lowest_total",
        seats=4,
        tiles=4,
        persons=(0, 3),
        round_starter="lowest_total",
        first_round_starter="random",
        train_privacy="always_public",
        going_out_points=-5,
        blank_half_points=25,
    ),
    small(
        "left_of_engine_holder",
        seats=3,
        tiles=5,
        round_starter="left_of_engine_holder",
        engine_selection="holder_turn_draw",
        open_empty_train_playable=False,
    ),
    small(
        "marker_kept",
        seats=3,
        tiles=5,
        persons=(0, 2),
        marker_clear="optional_own_play",
        engine_first=4,
    ),
    small(
        "may_decline",
        seats=3,
        tiles=5,
        persons=(1,),
        must_play=False,
        drawn_tile="may",
        draw_rule="until_playable",
        rounds=5,
    ),
    small(
        "open_hands",
        seats=4,
        tiles=4,
        hands_visible=True,
        first_turn_double="deferred",
        first_turn_out="finish_lap",
        doubles_per_turn=None,
        chain_follow_up="last_double",
        blocked_detection="no_move",
    ),
    small(
        "boneyard_drawn_for_engine",
        seats=3,
        tiles=9,
        engine_selection="starter_highest",
        rounds=7,
    ),
    Plan(
        "forfeited",
        "classic",
        3,
        {"set_max_pip": 6, "hand_sizes": {"3": 6}, "rounds": 4},
        persons=(0, 1, 2),
        forfeits=True,
    ),
)


def public(name: str, seats: int, tiles: int, **options: object) -> Plan:
    """A small one in which every train is open to everybody, so that there is much to choose from."""
    return small(name, seats, tiles, (), train_privacy="always_public", double_follow_up="anywhere", **options)


# If a rule only allows more than another, the moves made do not distinguish them, but moves not made do: a seat that
# drew because it might not lay.
TELLING = (
    telling(public("first_turn_own", 3, 3, first_turn_trains="own_only"), first_turn_trains=("any_eligible",)),
    telling(
        public("first_turn_mexican", 4, 3, first_turn_trains="own_or_mexican"),
        first_turn_trains=("any_eligible",),
    ),
    telling(
        small("mexican_last", 3, 3, mexican_start="all_trains_started"),
        mexican_start=("any_turn", "second_turn"),
    ),
    telling(small("mexican_after_own", 3, 3, own_train_required_for=["mexican"]), own_train_required_for=([],)),
    telling(small("others_empty", 4, 3, open_empty_train_playable=False), open_empty_train_playable=(True,)),
    telling(
        small("first_lap_finished", 3, 4, first_turn_length="unlimited", first_turn_out="finish_lap"),
        first_turn_out=("immediate",),
    ),
    telling(small("first_lap_cut", 3, 4, first_turn_length="unlimited"), first_turn_out=("finish_lap",)),
    telling(small("engine_held", 3, 5, engine_selection="holder_all_draw"), round_starter=("engine_holder",)),
    telling(
        public("chain_anywhere", 4, 6, doubles_per_turn=None, chain_follow_up="anywhere"),
        chain_follow_up=("first_double", "last_double", "any_open_double"),
        doubles_per_turn=(2,),
    ),
    telling(
        public("chain_last", 4, 6, doubles_per_turn=None, chain_follow_up="last_double"),
        chain_follow_up=("anywhere", "any_open_double"),
    ),
    telling(
        public("chain_any_open", 4, 6, doubles_per_turn=None, chain_follow_up="any_open_double"),
        chain_follow_up=("anywhere", "first_double", "last_double"),
    ),
    telling(public("two_doubles", 4, 6, doubles_per_turn=2), doubles_per_turn=(1, None)),
    telling(
        small("lapsed", 4, 5, double_obligation="one_lap", double_follow_up="anywhere", dead_double="blocks"),
        double_obligation=("table",),
    ),
    telling(
        small("unbound", 4, 5, double_obligation="none", double_follow_up="anywhere"),
        double_obligation=("table", "one_lap", "layer_only"),
    ),
    telling(
        small("blocked", 4, 6, blocked_detection="no_move", blocked_lowest_zero=True),
        blocked_detection=("pass_lap_and_no_move", "pass_lap"),
        blocked_lowest_zero=(False,),
    ),
    telling(small("tied", 5, 2, rounds=3), tie_break=("zero_rounds_then_low_round",)),
    telling(small("tie_broken", 5, 2, rounds=3, tie_break="zero_rounds_then_low_round"), tie_break=("shared",)),
)
# Options that are new in version 2, and play that version 1 does not allow.
SECOND_VERSION = (
    telling(
        public("own_until_all_started", 3, 4, first_turn_trains="own_until_all_started"),
        first_turn_trains=("any_eligible", "own_or_mexican", "own_only"),
    ),
    *(
        telling(
            small(f"seat_{seat}_begins", 12, 2, rounds=1, first_round_starter=f"seat_{seat}"),
            first_round_starter=("random",),
        )
        for seat in range(1, 12)
    ),
    telling(
        small(
            "layer_has_first_turn",
            3,
            5,
            engine_selection="highest_held",
            round_starter="left_of_engine_holder",
            first_turn_length="unlimited",
            first_turn_trains="own_only",
            mexican_start="second_turn",
        ),
        engine_version=(1,),
    ),
    telling(
        small("passes_lead_on", 3, 9, double_obligation="one_lap", blocked_detection="no_move"),
        engine_version=(1,),
        blocked_detection=("pass_lap_and_no_move", "pass_lap"),
    ),
    telling(
        small("first_turns_lead_on", 3, 9, first_turn_trains="own_only", blocked_detection="no_move"),
        engine_version=(1,),
        blocked_detection=("pass_lap_and_no_move", "pass_lap"),
    ),
)
BY_HAND = (*PRESETS, *FURTHER, *TELLING, *SECOND_VERSION)


def of_value(option: str, value: object) -> Plan:
    """A small match that differs from one with any other value of an option."""
    others = tuple(each for each in OPTIONS[option].values if each != value and (option, value, each) not in SILENT)
    return telling(small(f"{option}_{value}", 3, 5, (), **{option: value}), **{option: others})


def values_without_a_plan(plans: Iterable[Plan]) -> Iterator[tuple[str, object]]:
    """The listed values that none of these matches has, apart from numbers that are counted."""
    played = [rules_of(plan.preset, plan.options).as_dict() for plan in plans]
    for name, option in OPTIONS.items():
        if isinstance(option, OneOf) and name not in COUNTED:
            yield from ((name, value) for value in option.values if all(each[name] != value for each in played))


PLANS = {plan.name: plan for plan in (*BY_HAND, *(of_value(*each) for each in values_without_a_plan(BY_HAND)))}
"""The matches by name. A value of an option that none of those written by hand has gets one of its own."""
