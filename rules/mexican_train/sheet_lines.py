"""The lines of a rule sheet in their order, and when each applies. Their sentences are declared with the options."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeAlias

from rules.mexican_train.options import OPTIONS, Options

Question: TypeAlias = Callable[[Options], bool]


def always(_options: Options) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class Line:
    """The sentence that the value of an option adds to the sheet. An empty one adds nothing.

    ``name`` says which, if the values have several. ``matters`` says whether the line applies.
    """

    option: str
    name: str = ""
    matters: Question = field(default=always)

    @property
    def texts(self) -> Mapping[Any, str]:
        """The sentence of each value."""
        return {each.value: each.sentence(self.name) for each in OPTIONS[self.option].choices}


@dataclass(frozen=True, slots=True)
class Fact:
    """A sentence that belongs to no option. ``matters`` says whether it applies."""

    text: str
    matters: Question = field(default=always)


class Section(NamedTuple):
    title: str
    lines: tuple[Line | Fact, ...]


def binds_later(options: Options) -> bool:
    """Whether doubles that are left open can bind a seat in a later turn."""
    return options.opens_doubles and not options.lapses_at_once


def may_open_several(options: Options) -> bool:
    return binds_later(options) and (
        options.may_lay_another_double(1) or options.has_long_first_turn or not options.always_binds_everybody
    )


def several_in_a_turn(options: Options) -> bool:
    return options.opens_doubles and options.may_lay_another_double(1)


def hands_bring_engine(options: Options) -> bool:
    return not options.sets_engine_aside and not options.starter_lays_engine


def hands_decide(options: Options) -> bool:
    """Whether the engine comes from the hands.

    The first seat then matters before the first turn, in the search for it.
    """
    return not options.sets_engine_aside


def is_first_turn_bound(options: Options) -> bool:
    """Whether a rule about first turns yields to an open double that another seat has laid."""
    binds_others = binds_later(options) and options.binds(is_layer=False)
    binds_early = not options.first_turn_may_use_others and not options.defers_first_doubles
    return binds_others and (binds_early or options.waits_for_all_trains)


def layer_has_first_turn(options: Options) -> bool:
    """Whether a seat that has laid the engine still has its first turn like the others."""
    return hands_decide(options) and options.begins_left_of_engine and not options.laying_engine_was_first_turn


def counts_further_passes(options: Options) -> bool:
    """Whether a round is not blocked while further passes would let a seat play."""
    return options.needs_nobody_able and options.looks_past_passes


SETTING_UP = Section(
    "Setting up",
    (
        Fact("The set is double-{highest}: {all} tiles."),
        Line("first_round_starter", "engine from hands", matters=hands_decide),
        Line("round_starter", "engine from hands", matters=hands_decide),
        Line("engine_selection", "engine"),
        Line("engine_selection", "order"),
        Line("engine_selection", "search"),
        Line("hands_visible"),
    ),
)
BEGINNING = Section(
    "Who begins, and first turns",
    (
        Line("first_round_starter", "engine set aside", matters=lambda options: options.sets_engine_aside),
        Line("round_starter", "engine set aside", matters=lambda options: options.sets_engine_aside),
        Line("round_starter", "holder lays", matters=hands_bring_engine),
        Line("round_starter", "starter lays", matters=lambda options: options.starter_lays_engine),
        Fact("The first turn of the seat that has laid the engine is still to come.", layer_has_first_turn),
        Line("first_turn_length", "tiles"),
        Line("first_turn_length", "doubles", matters=binds_later),
        Line("first_turn_trains", "with Mexican Train", matters=lambda options: options.has_mexican_train),
        Line("first_turn_trains", "without", matters=lambda options: not options.has_mexican_train),
        Fact("An open double that binds it comes first all the same.", is_first_turn_bound),
        Line("first_turn_double", matters=binds_later),
        Line("first_turn_out"),
    ),
)
TURNS = Section(
    "A turn",
    (
        Line("mexican_start", "trains"),
        Fact(
            "In its turn a seat lays a tile at the end of a train that it may use; the ends that meet have the same"
            " pips."
        ),
        Line("train_privacy"),
        Line("open_empty_train_playable"),
        Line("mexican_start", "start"),
        Line("own_train_required_for", "mexican", matters=lambda options: options.has_mexican_train),
        Line("own_train_required_for", "others"),
        Line("must_play"),
        Line("draw_rule"),
        Line("drawn_tile", matters=lambda options: not options.may_decline),
        Line("draw_scope", matters=lambda options: options.opens_doubles),
        Fact("A seat that can neither lay nor draw passes."),
    ),
)
DOUBLES = Section(
    "Doubles",
    (
        Line("double_follow_up"),
        Line(
            "doubles_per_turn",
            "usual",
            matters=lambda options: options.opens_doubles and not options.has_long_first_turn,
        ),
        Line(
            "doubles_per_turn",
            "long first turns",
            matters=lambda options: options.opens_doubles and options.has_long_first_turn,
        ),
        Line("chain_follow_up", matters=several_in_a_turn),
        Line("double_obligation", matters=lambda options: options.opens_doubles),
        Fact("A seat that is bound covers the double on any train, marked or not.", binds_later),
        Line("own_train_required_for", "covering", matters=binds_later),
        Line("double_close_order", matters=may_open_several),
        Line("cover_continues", matters=may_open_several),
        Line("dead_double", matters=lambda options: options.opens_doubles),
    ),
)
MARKERS = Section(
    "Markers",
    (
        Line("marker_on_fail"),
        Line("cover_fail_marker", matters=lambda options: options.opens_doubles),
        Line("marker_on_empty_boneyard"),
        Line("marker_clear"),
    ),
)
ENDING = Section(
    "The end of a round, and points",
    (
        Line("finish_on_double", matters=lambda options: options.opens_doubles),
        Fact("A seat with an empty hand is out, and the round is over.", lambda options: not options.opens_doubles),
        Line("announce"),
        Line("announce_penalty_tiles", matters=lambda options: options.must_announce),
        Line("blocked_detection"),
        Fact(
            "It is not blocked while a seat could still lay a tile or be out if all seats went on passing: further"
            " passes can end first turns, set markers and free seats from doubles.",
            counts_further_passes,
        ),
        Fact("Every seat scores the pips of the tiles left in its hand."),
        Line("double_blank_points"),
        Line("blank_half_points"),
        Line("double_factor"),
        Line("going_out_points"),
        Line("blocked_lowest_zero"),
    ),
)
MATCH = Section(
    "The match",
    (
        Fact("The points of all rounds are added up, and the lowest total wins."),
        Line("tie_break"),
    ),
)
SECTIONS = (SETTING_UP, BEGINNING, TURNS, DOUBLES, MARKERS, ENDING, MATCH)
ONE_EACH = "Each of the {seats} seats is dealt {count} tile; {boneyard} are left face down: the boneyard."
SEVERAL_EACH = "Each of the {seats} seats is dealt {count} tiles; {boneyard} are left face down: the boneyard."
