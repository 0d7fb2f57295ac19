"""The named rule sets. Each is the *classic* rules plus its differences (``rules.md`` §7)."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache

from rules.errors import BadOption, UnknownPreset
from rules.mexican_train.options import OPTIONS, Options, must_be_dealable, resolve
from rules.sentences import Sentence, shortened

Differences = Mapping[str, object]

# Tiles for each number of seats, under the names that ``rules.md`` §7 uses.
H8 = {2: 15, 3: 15, 4: 15, 5: 11, 6: 11, 7: 8, 8: 8}
H11 = {2: 15, 3: 15, 4: 15, 5: 12, 6: 12, 7: 11, 8: 11}
HP = {2: 16, 3: 16, 4: 15, 5: 14, 6: 12, 7: 10, 8: 9}
H_CLUB = {2: 16, 3: 15, 4: 14, 5: 13, 6: 12, 7: 11, 8: 10}
H_FAMILY = {2: 12, 3: 12, 4: 12, 5: 12, 6: 12, 7: 10, 8: 10}
H_MANY = {9: 11, 10: 11, 11: 11, 12: 11}


@dataclass(frozen=True, slots=True)
class Preset:
    name: str
    title: str
    differences: Differences = field(default_factory=dict)


# The size of a set implies its first engine and its number of rounds, so the presets do not state them.
OFFICIAL: Differences = {
    "hand_sizes": HP,
    "double_follow_up": "anywhere",
    "doubles_per_turn": None,
    "chain_follow_up": "first_double",
    "announce": "automatic",
    "double_blank_points": 50,
    "first_round_starter": "random",
}
ALL_PRESETS = (
    Preset("classic", "Classic Mexican Train, double twelve"),
    Preset("official_d12", "Official rules (Parsons), double twelve", OFFICIAL),
    Preset(
        "official_d9",
        "Official rules (Parsons), double nine",
        {**OFFICIAL, "set_max_pip": 9, "hand_sizes": {2: 15, 3: 13, 4: 10}},
    ),
    Preset(
        "official_d15",
        "Official rules (Parsons), double fifteen, nine to twelve seats",
        {**OFFICIAL, "set_max_pip": 15, "hand_sizes": H_MANY},
    ),
    Preset(
        "official_d18",
        "Official rules (Parsons), double eighteen, nine to twelve seats",
        {**OFFICIAL, "set_max_pip": 18, "hand_sizes": H_MANY},
    ),
    Preset(
        "official_reverse",
        "Official rules, the newest double first",
        {**OFFICIAL, "double_close_order": "reverse", "chain_follow_up": "last_double"},
    ),
    Preset(
        "tournament",
        "Tournament",
        {
            "finish_on_double": "must_cover",
            "draw_scope": "per_turn",
            "tie_break": "zero_rounds_then_low_round",
            "hand_sizes": H11,
        },
    ),
    Preset(
        "open_start",
        "Open start",
        {"train_privacy": "public_until_own_play", "double_follow_up": "anywhere"},
    ),
    Preset(
        "long_trains",
        "Long trains (McLeod)",
        {
            "engine_selection": "holder_all_draw",
            "round_starter": "engine_holder",
            "first_turn_length": "unlimited",
            "first_turn_trains": "own_only",
            "first_turn_double": "deferred",
            "first_turn_out": "finish_lap",
            "mexican_start": "second_turn",
            "drawn_tile": "may",
            "double_follow_up": "anywhere",
            "doubles_per_turn": None,
            "chain_follow_up": "anywhere",
        },
    ),
    Preset(
        "cardinal",
        "Cardinal",
        {
            "hand_sizes": H11,
            "engine_selection": "holder_or_next_lower",
            "round_starter": "engine_holder",
            "first_turn_length": "unlimited",
            "first_turn_trains": "own_only",
            "mexican_start": "second_turn",
            "marker_on_empty_boneyard": False,
        },
    ),
    Preset(
        "pressman",
        "Pressman",
        {
            "hand_sizes": H8,
            "engine_selection": "highest_held",
            "round_starter": "engine_holder",
            "first_turn_trains": "own_only",
            "own_train_required_for": ["open_trains"],
        },
    ),
    Preset("galt", "Galt", {"hand_sizes": H11, "engine_selection": "starter_highest"}),
    Preset(
        "box_cars",
        "Box cars",
        {
            "hand_sizes": H8,
            "engine_selection": "highest_held",
            "round_starter": "engine_holder",
            "draw_rule": "until_playable_if_unstarted",
        },
    ),
    Preset(
        "family",
        "Family",
        {
            "hand_sizes": H_FAMILY,
            "engine_selection": "holder_turn_draw",
            "round_starter": "engine_holder",
            "first_turn_trains": "own_only",
            "mexican_start": "second_turn",
            "draw_rule": "until_playable_if_unstarted",
            "double_blank_points": 50,
        },
    ),
    Preset(
        "rv_club",
        "RV club",
        {
            "hand_sizes": H_CLUB,
            "engine_selection": "holder_all_draw",
            "round_starter": "engine_holder",
            "first_turn_trains": "own_or_mexican",
        },
    ),
    Preset(
        "deluxe",
        "Deluxe",
        {
            "marker_clear": "any_play",
            "double_follow_up": "anywhere",
            "doubles_per_turn": None,
            "chain_follow_up": "anywhere",
            "mexican_start": "all_trains_started",
            "own_train_required_for": ["open_trains"],
        },
    ),
    Preset(
        "chain",
        "Chains of doubles",
        {
            "doubles_per_turn": None,
            "chain_follow_up": "last_double",
            "double_close_order": "reverse",
            "cover_continues": True,
        },
    ),
    Preset("own_first", "Own train first", {"own_train_required_for": ["mexican"]}),
    Preset(
        "tapper",
        "Official rules, tap at your last tile",
        {**OFFICIAL, "announce": "penalty", "announce_penalty_tiles": 2},
    ),
    Preset(
        "plain_doubles",
        "Plain doubles",
        {"double_follow_up": "none", "double_obligation": "none"},
    ),
    Preset("private_trains", "Private trains only", {"mexican_start": "never"}),
    Preset("draw_until", "Draw until you can play", {"draw_rule": "until_playable"}),
)
PRESETS = {preset.name: preset for preset in ALL_PRESETS}


def rules_of(preset: str, overrides: Mapping[str, object]) -> Options:
    """A preset's rules with a table's own options on top.

    Raises ``BadOption``, also for an unknown preset. A table's own hand sizes must be dealable for every number of
    seats that they name. The hand sizes of a preset are not checked here: if a table takes another set, numbers of
    seats that cannot be dealt are refused later.
    """
    options = options_over(preset, overrides)
    if "hand_sizes" in overrides:
        must_be_dealable(options)
    return options


def differences_of(options: Options) -> dict[str, object]:
    """Every option, as JSON has it, whose value differs from *classic*."""
    classic = rules_of("classic", {}).as_dict()
    return {option: value for option, value in options.as_dict().items() if value != classic[option]}


def options_over(preset: str, overrides: Mapping[str, object]) -> Options:
    """The same without checking hand sizes. After the deal, the sizes for other numbers of seats no longer matter."""
    return resolve({**named(preset).differences, **overrides})


def named(preset: str) -> Preset:
    """The preset of this name. Raises ``UnknownPreset``."""
    if preset not in PRESETS:
        raise UnknownPreset(
            Sentence("{value} is not one of {values}.", value=shortened(preset), values=", ".join(PRESETS))
        )
    return PRESETS[preset]


def preset_named(preset: str, options: Options) -> str:
    """The preset that a record names for these rules: the chosen one, unless the rules equal another preset."""
    if options == rules_of_preset(preset):
        return preset
    return next((name for name in PRESETS if options == rules_of_preset(name)), preset)


@cache
def rules_of_preset(name: str) -> Options:
    return options_over(name, {})


def overrides_over(preset: str, options: Options) -> dict[str, object]:
    """The fewest options that give these rules when they are added to the preset, as JSON has them."""
    own: dict[str, object] = {
        "set_max_pip": options.highest_pip,
        "engine_first": options.engine_wanted(0),
        "rounds": options.round_count,
    }
    usual = options_over(preset, own).as_dict()
    said = own | {option: value for option, value in options.as_dict().items() if value != usual[option]}
    for option in ("rounds", "engine_first", "set_max_pip"):
        without = {name: value for name, value in said.items() if name != option}
        said = without if gives(preset, without, options) else said
    return {option: said[option] for option in OPTIONS if option in said}


def gives(preset: str, overrides: Mapping[str, object], options: Options) -> bool:
    try:
        return options_over(preset, overrides) == options
    except BadOption:
        return False
