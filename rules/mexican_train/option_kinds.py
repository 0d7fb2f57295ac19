"""Every option with its allowed values and its *classic* default (``rules.md`` §5)."""

from rules.mexican_train.option_values import HandSizes, Kind, OneOf, SubsetOf, WholeNumber
from rules.tiles import SET_SIZES

FEWEST_SEATS, MOST_SEATS = 2, 12
FIRST = object()


def one_of(*values: object, default: object = FIRST) -> OneOf:
    """An option with these values. The first is the default unless another is named."""
    return OneOf(values, values[0] if default is FIRST else default)


KINDS: dict[str, Kind] = {
    "set_max_pip": one_of(*SET_SIZES, default=12),
    "hand_sizes": HandSizes(MOST_SEATS, default={2: 15, 3: 15, 4: 15, 5: 12, 6: 12, 7: 10, 8: 10}),
    "hands_visible": one_of(False, True),
    "engine_selection": one_of(
        "set_aside",
        "holder_all_draw",
        "holder_turn_draw",
        "holder_or_next_lower",
        "highest_held",
        "starter_highest",
    ),
    "engine_first": WholeNumber(0),
    "rounds": WholeNumber(1),
    "round_starter": one_of("rotate", "engine_holder", "left_of_engine_holder", "lowest_total"),
    "first_round_starter": one_of(*(f"seat_{seat}" for seat in range(MOST_SEATS)), "random"),
    "first_turn_length": one_of("one", "unlimited"),
    "first_turn_trains": one_of("any_eligible", "own_or_mexican", "own_only", "own_until_all_started"),
    "first_turn_double": one_of("normal", "deferred"),
    "first_turn_out": one_of("immediate", "finish_lap"),
    "mexican_start": one_of("any_turn", "second_turn", "all_trains_started", "never"),
    "own_train_required_for": SubsetOf(("mexican", "open_trains", "covering")),
    "open_empty_train_playable": one_of(True, False),
    "train_privacy": one_of("marker", "public_until_own_play", "always_public"),
    "must_play": one_of(True, False),
    "draw_rule": one_of("one", "until_playable", "until_playable_if_unstarted"),
    "drawn_tile": one_of("must", "may"),
    "draw_scope": one_of("per_placement", "per_turn"),
    "marker_on_fail": one_of("always", "if_nothing_played"),
    "marker_on_empty_boneyard": one_of(True, False),
    "marker_clear": one_of("auto_own_play", "optional_own_play", "any_play"),
    "double_follow_up": one_of("cover", "anywhere", "none"),
    "doubles_per_turn": one_of(1, 2, None),
    "chain_follow_up": one_of("anywhere", "first_double", "last_double", "any_open_double", default="first_double"),
    "cover_continues": one_of(False, True),
    "double_obligation": one_of("table", "one_lap", "layer_only", "none"),
    "double_close_order": one_of("in_order", "reverse"),
    "cover_fail_marker": one_of("all", "layer_exempt"),
    "dead_double": one_of("lifts", "blocks"),
    "finish_on_double": one_of("ends_round", "must_cover"),
    "announce": one_of("off", "automatic", "penalty"),
    "announce_penalty_tiles": one_of(1, 2, default=2),
    "blocked_detection": one_of("pass_lap_and_no_move", "pass_lap", "no_move"),
    "double_blank_points": one_of(0, 25, 50),
    "blank_half_points": one_of(0, 5, 25),
    "double_factor": one_of(1, 2),
    "going_out_points": one_of(0, -5, -10),
    "blocked_lowest_zero": one_of(False, True),
    "tie_break": one_of("shared", "zero_rounds_then_low_round"),
}
