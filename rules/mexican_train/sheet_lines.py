"""The lines of a rule sheet: a sentence for every value of every option, and when it applies."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeAlias

from rules.mexican_train.option_kinds import MOST_SEATS
from rules.mexican_train.options import Options

Question: TypeAlias = Callable[[Options], bool]


def always(_options: Options) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class Line:
    """The sentence that each value of an option adds to the sheet.

    An empty text adds nothing. ``matters`` says whether the line applies.
    """

    option: str
    texts: Mapping[Any, str]
    matters: Question = field(default=always)


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


def for_each_seat(text: str) -> dict[str, str]:
    """The same sentence for every seat that a table may choose as the first."""
    return {f"seat_{seat}": text for seat in range(MOST_SEATS)}


NEXT_SEAT = "Each round the first turn goes to the next seat round the table."
NEXT_IS_FIRST = "Each round the next seat round the table is the first."
FIRST_BEGINS = "The first seat has the first turn."
LOWEST_TOTAL = (
    "The first turn of a round goes to the seat with the lowest total so far; of several, to the one with the lowest"
    " number."
)
LAYER_BEGINS = "The seat that lays the engine has the first turn."
AFTER_LAYER = "Laying the engine is that seat's turn; the seat after it goes on."
OWN_UNTIL_ALL = (
    "Until every seat's train holds a tile, each seat lays on its own train only. The tile that starts the last train"
    " opens the others at once."
)
HOLDER_LAYS = "The seat that was dealt the round's double lays it in the middle: it is the engine."
ONE_LOWER = "In the first round the engine is {engine}-{engine}; each round it is one lower."
FALLING = "In the first round that double is {engine}-{engine}; each round it is one lower."
OWN_ONLY = "In its first turn of a round a seat lays on its own train only."
WITH_MEXICAN = "There is a train for each seat, and the Mexican Train for everybody. All of them start from the engine."

SETTING_UP = Section(
    "Setting up",
    (
        Fact("The set is double-{highest}: {all} tiles."),
        Line(
            "first_round_starter",
            {
                **for_each_seat("In the first round {beginner} is the first seat."),
                "random": "The first seat of the first round is chosen by lot.",
            },
            hands_decide,
        ),
        Line(
            "round_starter",
            {
                "rotate": NEXT_IS_FIRST,
                "engine_holder": NEXT_IS_FIRST,
                "left_of_engine_holder": NEXT_IS_FIRST,
                "lowest_total": "In each later round the first is the seat with the lowest total so far; of several,"
                " the one with the lowest number.",
            },
            hands_decide,
        ),
        Line(
            "engine_selection",
            {
                "set_aside": "Before the deal the round's double is taken out of the set and laid in the middle: it is"
                " the engine.",
                "holder_all_draw": HOLDER_LAYS,
                "holder_turn_draw": HOLDER_LAYS,
                "holder_or_next_lower": HOLDER_LAYS,
                "highest_held": "The engine is the highest double in any hand that has not been an engine in this"
                " match; its seat lays it in the middle.",
                "starter_highest": "The first seat lays the highest double in its hand that has not been an engine in"
                " this match: it is the engine.",
            },
        ),
        Line(
            "engine_selection",
            {
                "set_aside": ONE_LOWER,
                "holder_all_draw": FALLING,
                "holder_turn_draw": FALLING,
                "holder_or_next_lower": FALLING,
                "highest_held": "",
                "starter_highest": "",
            },
        ),
        Line(
            "engine_selection",
            {
                "set_aside": "",
                "holder_all_draw": (
                    "If nobody was dealt it, all seats from the first on draw a tile each, lap after lap, until it "
                    "appears; the lap in which it appears is finished. Drawn tiles are kept."
                ),
                "holder_turn_draw": (
                    "If nobody was dealt it, one seat after another from the first on draws a tile until it appears. "
                    "Drawn tiles are kept."
                ),
                "holder_or_next_lower": "If nobody was dealt it, it is the next lower double that somebody holds. If"
                " there is none either, one seat after another from the first on draws a tile until a double appears"
                " that has not been an engine. Drawn tiles are kept.",
                "highest_held": "If nobody holds one, one seat after another from the first on draws a tile until one"
                " appears. Drawn tiles are kept.",
                "starter_highest": "If it has none, it draws a tile and lays that if it is such a double; if not, the"
                " next seat becomes the first and does the same. Drawn tiles are kept.",
            },
        ),
        Line(
            "hands_visible",
            {
                False: "A hand is for its own seat alone until the round is over.",
                True: "All hands are open: everybody sees every tile in them.",
            },
        ),
    ),
)
BEGINNING = Section(
    "Who begins, and first turns",
    (
        Line(
            "first_round_starter",
            {
                **for_each_seat("In the first round {beginner} has the first turn."),
                "random": "In the first round, the seat with the first turn is chosen by lot.",
            },
            lambda options: options.sets_engine_aside,
        ),
        Line(
            "round_starter",
            {
                "rotate": NEXT_SEAT,
                "engine_holder": NEXT_SEAT,
                "left_of_engine_holder": NEXT_SEAT,
                "lowest_total": LOWEST_TOTAL,
            },
            lambda options: options.sets_engine_aside,
        ),
        Line(
            "round_starter",
            {
                "rotate": FIRST_BEGINS,
                "engine_holder": LAYER_BEGINS,
                "left_of_engine_holder": AFTER_LAYER,
                "lowest_total": FIRST_BEGINS,
            },
            hands_bring_engine,
        ),
        Line(
            "round_starter",
            {
                "rotate": LAYER_BEGINS,
                "engine_holder": LAYER_BEGINS,
                "left_of_engine_holder": AFTER_LAYER,
                "lowest_total": LAYER_BEGINS,
            },
            lambda options: options.starter_lays_engine,
        ),
        Fact("The first turn of the seat that has laid the engine is still to come.", layer_has_first_turn),
        Line(
            "first_turn_length",
            {
                "one": "",
                "unlimited": "In its first turn of a round a seat may lay as many tiles as it likes, one after another;"
                " after the first it may end the turn at any time.",
            },
        ),
        Line(
            "first_turn_length",
            {
                "one": "",
                "unlimited": ("Doubles need not be covered during such a turn, and are open doubles when it ends."),
            },
            binds_later,
        ),
        Line(
            "first_turn_trains",
            {
                "any_eligible": "",
                "own_or_mexican": "In its first turn of a round a seat lays on its own train or on the Mexican Train"
                " only.",
                "own_only": OWN_ONLY,
                "own_until_all_started": OWN_UNTIL_ALL,
            },
            lambda options: options.has_mexican_train,
        ),
        Line(
            "first_turn_trains",
            {
                "any_eligible": "",
                "own_or_mexican": OWN_ONLY,
                "own_only": OWN_ONLY,
                "own_until_all_started": OWN_UNTIL_ALL,
            },
            lambda options: not options.has_mexican_train,
        ),
        Fact("An open double that binds it comes first all the same.", is_first_turn_bound),
        Line(
            "first_turn_double",
            {"normal": "", "deferred": "Open doubles bind nobody before every seat has had its first turn."},
            binds_later,
        ),
        Line(
            "first_turn_out",
            {
                "immediate": "",
                "finish_lap": "If a seat is out before all have had their first turn, the others still have theirs.",
            },
        ),
    ),
)
TURNS = Section(
    "A turn",
    (
        Line(
            "mexican_start",
            {
                "any_turn": WITH_MEXICAN,
                "second_turn": WITH_MEXICAN,
                "all_trains_started": WITH_MEXICAN,
                "never": "There is a train for each seat, and no Mexican Train. All of them start from the engine.",
            },
        ),
        Fact(
            "In its turn a seat lays a tile at the end of a train that it may use; the ends that meet have the same"
            " pips."
        ),
        Line(
            "train_privacy",
            {
                "marker": "A seat may use its own train, and another seat's while that is marked.",
                "public_until_own_play": "A seat may use its own train, and another seat's until that seat has laid a"
                " tile there, and later while it is marked.",
                "always_public": "A seat may use every seat's train, marked or not.",
            },
        ),
        Line(
            "open_empty_train_playable",
            {
                True: "Where others may use a seat's train, they may also lay its first tile.",
                False: "Only the seat itself lays the first tile of its train.",
            },
        ),
        Line(
            "mexican_start",
            {
                "any_turn": "The Mexican Train may be started in any turn.",
                "second_turn": "A seat may start the Mexican Train from its second turn of the round on.",
                "all_trains_started": "The Mexican Train may be started once every seat's own train holds a tile.",
                "never": "",
            },
        ),
        Line(
            "own_train_required_for",
            {
                "mexican": "A seat may not lay on the Mexican Train before its own train holds a tile.",
                "open_trains": "",
                "covering": "",
            },
            lambda options: options.has_mexican_train,
        ),
        Line(
            "own_train_required_for",
            {
                "mexican": "",
                "open_trains": "A seat may not lay on another seat's train before its own holds a tile.",
                "covering": "",
            },
        ),
        Line(
            "must_play",
            {
                True: "A seat that can lay a tile has to.",
                False: "A seat that can lay a tile may draw once instead, and then lay a tile or pass. With an empty"
                " boneyard it may pass at once.",
            },
        ),
        Line(
            "draw_rule",
            {
                "one": "A seat that cannot lay a tile draws one.",
                "until_playable": "A seat that cannot lay a tile draws one after another, until it can or the boneyard"
                " is empty.",
                "until_playable_if_unstarted": "A seat that cannot lay a tile draws one. As long as its own train holds"
                " no tile, it draws one after another, until it can lay one or the boneyard is empty.",
            },
        ),
        Line(
            "drawn_tile",
            {
                "must": "A drawn tile that can be laid has to be laid.",
                "may": "A drawn tile that can be laid may be kept.",
            },
            lambda options: not options.may_decline,
        ),
        Line(
            "draw_scope",
            {
                "per_placement": "After laying a double a seat may draw again in the same turn.",
                "per_turn": "A turn has one draw, before a double or after it.",
            },
            lambda options: options.opens_doubles,
        ),
        Fact("A seat that can neither lay nor draw passes."),
    ),
)
DOUBLES = Section(
    "Doubles",
    (
        Line(
            "double_follow_up",
            {
                "cover": (
                    "A seat that lays a double has to cover it in the same turn. If it cannot, even after a draw, it "
                    "passes, and the double stays open."
                ),
                "anywhere": (
                    "A seat that lays a double lays one more tile, on the double or on any other train that it may "
                    "use. The double stays open until it is covered."
                ),
                "none": "A double is a tile like any other.",
            },
        ),
        Line(
            "doubles_per_turn",
            {
                1: "A turn has one double at most.",
                2: "Instead of that tile a second double may be laid, where it fits on a train that does not end in an"
                " open double.",
                None: "Instead of that tile another double may be laid, and another after it, wherever they fit on"
                " trains that do not end in an open double.",
            },
            lambda options: options.opens_doubles and not options.has_long_first_turn,
        ),
        Line(
            "doubles_per_turn",
            {
                1: "After a first turn, a turn has one double at most.",
                2: "After a first turn, a second double may be laid instead of that tile, where it fits on a train that"
                " does not end in an open double.",
                None: "After a first turn, another double may be laid instead of that tile, and another after it,"
                " wherever they fit on trains that do not end in an open double.",
            },
            lambda options: options.opens_doubles and options.has_long_first_turn,
        ),
        Line(
            "chain_follow_up",
            {
                "anywhere": "The tile after several doubles goes on any train that the seat may use.",
                "first_double": "The tile after several doubles goes on the one that was laid first.",
                "last_double": "The tile after several doubles goes on the one that was laid last.",
                "any_open_double": "The tile after several doubles goes on any of them.",
            },
            several_in_a_turn,
        ),
        Line(
            "double_obligation",
            {
                "table": "An open double binds every seat in later turns: nothing else may be laid before it is"
                " covered.",
                "one_lap": "An open double binds every seat in later turns: nothing else may be laid before it is"
                " covered. When the turn is back at the seat that laid it, it binds nobody any more.",
                "layer_only": "An open double binds only the seat that laid it: in later turns that seat may lay"
                " nothing else before it is covered.",
                "none": "An open double binds nobody in later turns: it is an end like any other.",
            },
            lambda options: options.opens_doubles,
        ),
        Fact("A seat that is bound covers the double on any train, marked or not.", binds_later),
        Line(
            "own_train_required_for",
            {
                "mexican": "",
                "open_trains": "",
                "covering": "A seat that is bound while its own train is empty starts that instead of covering.",
            },
            binds_later,
        ),
        Line(
            "double_close_order",
            {
                "in_order": "Of several open doubles the oldest is covered first.",
                "reverse": "Of several open doubles the newest is covered first.",
            },
            may_open_several,
        ),
        Line(
            "cover_continues",
            {
                False: "",
                True: "A seat that has covered a double goes on with the next one that it has laid in this turn or that"
                " binds it.",
            },
            may_open_several,
        ),
        Line(
            "dead_double",
            {
                "lifts": (
                    "A double that no tile can cover, because every tile with its pips lies on the table, binds "
                    "nobody, and the seat that lays it need not cover it."
                ),
                "blocks": (
                    "A double that no tile can cover binds like any other; the seats that it binds can only draw and "
                    "pass."
                ),
            },
            lambda options: options.opens_doubles,
        ),
    ),
)
MARKERS = Section(
    "Markers",
    (
        Line(
            "marker_on_fail",
            {
                "always": "A seat that passes is marked.",
                "if_nothing_played": "A seat that passes is marked, unless it has laid a tile in that turn.",
            },
        ),
        Line(
            "cover_fail_marker",
            {"all": "", "layer_exempt": "A seat is not marked for failing to cover a double that it laid itself."},
            lambda options: options.opens_doubles,
        ),
        Line(
            "marker_on_empty_boneyard",
            {True: "", False: "Once the boneyard is empty, nobody is marked."},
        ),
        Line(
            "marker_clear",
            {
                "auto_own_play": "The marker comes off when the seat lays a tile on its own train.",
                "optional_own_play": "The marker comes off when the seat lays a tile on its own train, unless it says"
                " that the marker stays.",
                "any_play": "The marker comes off when the seat lays a tile on any train.",
            },
        ),
    ),
)
ENDING = Section(
    "The end of a round, and points",
    (
        Line(
            "finish_on_double",
            {
                "ends_round": "A seat with an empty hand is out, and the round is over.",
                "must_cover": "A seat is out once its hand is empty and no double that it laid is open; then the round"
                " is over. Until then, in its turns it draws if it can and passes if not.",
            },
            lambda options: options.opens_doubles,
        ),
        Fact("A seat with an empty hand is out, and the round is over.", lambda options: not options.opens_doubles),
        Line(
            "announce",
            {
                "off": "",
                "automatic": "When a seat has one tile left at the end of its turn, the server announces it.",
                "penalty": "A seat with one tile left at the end of its turn has to announce it before, or with the"
                " move that ends the turn. If it does not, any other seat may call it until the next seat's turn is"
                " over.",
            },
        ),
        Line(
            "announce_penalty_tiles",
            {
                1: "A seat that is called draws one tile, if the boneyard has one.",
                2: "A seat that is called draws two tiles, or as many as the boneyard has.",
            },
            lambda options: options.must_announce,
        ),
        Line(
            "blocked_detection",
            {
                "pass_lap_and_no_move": "With an empty boneyard the round is blocked, and over, when every seat has"
                " passed since the last tile was laid and no seat holds a tile that it could lay.",
                "pass_lap": "With an empty boneyard the round is blocked, and over, when every seat has passed since"
                " the last tile was laid.",
                "no_move": "With an empty boneyard the round is blocked, and over, when after a pass no seat holds a"
                " tile that it could lay.",
            },
        ),
        Fact(
            "It is not blocked while a seat could still lay a tile or be out if all seats went on passing: further"
            " passes can end first turns, set markers and free seats from doubles.",
            counts_further_passes,
        ),
        Fact("Every seat scores the pips of the tiles left in its hand."),
        Line(
            "double_blank_points",
            {0: "", 25: "0-0 counts 25 points.", 50: "0-0 counts 50 points."},
        ),
        Line(
            "blank_half_points",
            {
                0: "",
                5: "The blank end of any other tile counts 5 points, besides the other end.",
                25: "The blank end of any other tile counts 25 points, besides the other end.",
            },
        ),
        Line("double_factor", {1: "", 2: "Doubles count twice their pips."}),
        Line(
            "going_out_points",
            {
                0: "",
                -5: "The seat that is out scores minus 5 points.",
                -10: "The seat that is out scores minus 10 points.",
            },
        ),
        Line(
            "blocked_lowest_zero",
            {
                False: "",
                True: "The lowest hand of a blocked round scores nothing; several that are equally low all score"
                " nothing.",
            },
        ),
    ),
)
MATCH = Section(
    "The match",
    (
        Fact("The points of all rounds are added up, and the lowest total wins."),
        Line(
            "tie_break",
            {
                "shared": "Seats with the same lowest total share the win.",
                "zero_rounds_then_low_round": (
                    "Of the seats with the same lowest total, the seat with more rounds without points wins; then "
                    "the seat with the lowest other round; if that is equal too, they share the win."
                ),
            },
        ),
    ),
)
SECTIONS = (SETTING_UP, BEGINNING, TURNS, DOUBLES, MARKERS, ENDING, MATCH)
ONE_EACH = "Each of the {seats} seats is dealt {count} tile; {boneyard} are left face down: the boneyard."
SEVERAL_EACH = "Each of the {seats} seats is dealt {count} tiles; {boneyard} are left face down: the boneyard."
