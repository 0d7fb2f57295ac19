"""The meaning of every option and of each of its values, in plain words (``rules.md`` §3 to §6)."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Meaning:
    """``option`` says what is decided.

    ``values`` says what each listed value means, including the *classic* one. ``number`` describes an integer, with
    ``{count}`` in its place. ``one`` describes the integer 1.
    """

    option: str
    values: Mapping[object, str] = field(default_factory=dict)
    number: str = ""
    one: str = ""


SEATS = (
    "The first seat of the table.",
    "The second seat of the table.",
    "The third seat of the table.",
    "The fourth seat of the table.",
    "The fifth seat of the table.",
    "The sixth seat of the table.",
    "The seventh seat of the table.",
    "The eighth seat of the table.",
    "The ninth seat of the table.",
    "The tenth seat of the table.",
    "The eleventh seat of the table.",
    "The twelfth seat of the table.",
)
MEANINGS: dict[str, Meaning] = {
    "set_max_pip": Meaning(
        "The set of tiles, named after its highest double.",
        {
            6: "Double six: 28 tiles.",
            9: "Double nine: 55 tiles.",
            12: "Double twelve: 91 tiles.",
            15: "Double fifteen: 136 tiles.",
            18: "Double eighteen: 190 tiles.",
        },
    ),
    "hand_sizes": Meaning(
        "How many tiles each seat is dealt, for each possible number of seats; a table cannot have another number of "
        "seats. The set must have enough tiles for all. Where the engine comes from the hands, each hand has at "
        "least two tiles, so that the seat that lays the engine keeps one.",
    ),
    "hands_visible": Meaning(
        "Whether everybody sees every hand.",
        {
            False: "A hand is for its own seat alone until the round is over.",
            True: "All hands are public; nothing else changes.",
        },
    ),
    "engine_selection": Meaning(
        "Where the engine of a round comes from. Tiles drawn in search of it are kept.",
        {
            "set_aside": "The round's double is taken out of the set before the deal, and no seat holds it.",
            "holder_all_draw": (
                "The seat that was dealt the round's double lays it. If no seat was, all seats draw a tile each, lap "
                "after lap, until it appears; the lap in which it appears is finished."
            ),
            "holder_turn_draw": (
                "The seat that was dealt the round's double lays it. If no seat was, one seat after another draws a "
                "tile, from the first seat round the table, until it appears."
            ),
            "holder_or_next_lower": (
                "The seat that was dealt the round's double lays it. If no seat was, the next lower double in a hand "
                "takes its place. If there is none, the seats draw for any double that has not been an engine, as "
                "with `holder_turn_draw`."
            ),
            "highest_held": "The highest double in any hand that has not been an engine in this match. If nobody holds"
            " one, the seats draw for one as with `holder_turn_draw`.",
            "starter_highest": "The first seat lays the highest double it holds that has not been an engine. If it has"
            " none, it draws one tile and lays that if it is such a double; if not, the next seat becomes the first"
            " and does the same.",
        },
    ),
    "engine_first": Meaning(
        "The double that is the engine of the first round, by its pips; in each round the engine is one lower. Where "
        "the hands decide, the search begins with this double; `highest_held` and `starter_highest` ignore it. It "
        "cannot be higher than `set_max_pip`.",
        {None: "The highest double of the set."},
        "The first round's double is {count}-{count}.",
        "The first round's double is {count}-{count}.",
    ),
    "rounds": Meaning(
        "How many rounds a match has. There can be one for every double from `engine_first` down to 0-0, no more. Half"
        " a match is half of them, rounded up.",
        {None: "As many as there can be."},
        "A match has {count} rounds.",
        "A match has {count} round.",
    ),
    "round_starter": Meaning(
        "Which seat has the first turn of a round. If the engine is set aside, no seat holds it, and `engine_holder` "
        "and `left_of_engine_holder` are the same as `rotate`. With `starter_highest`, it is the seat that found the "
        "engine, or with `left_of_engine_holder` the seat after it.",
        {
            "rotate": "Each round it is the next seat round the table.",
            "engine_holder": "The seat that lays the engine, and then plays on.",
            "left_of_engine_holder": "The seat after the one that lays the engine: laying it was that seat's turn, but"
            " not its first turn of the round.",
            "lowest_total": "The seat with the lowest total so far; of several, the one with the lowest number. In the"
            " first round it is the seat of `first_round_starter`.",
        },
    ),
    "first_round_starter": Meaning(
        "Which seat is the first one of the first round. The table must have this seat.",
        {**{f"seat_{seat}": text for seat, text in enumerate(SEATS)}, "random": "A seat chosen by lot."},
    ),
    "first_turn_length": Meaning(
        "How many tiles a seat may lay in its first turn of a round.",
        {
            "one": "One, as in every turn.",
            "unlimited": (
                "As many as it likes, one after another; after the first it may end the turn at any time. Doubles "
                "need not be covered during this turn, and are open doubles when it ends. A seat that cannot lay a "
                "first tile draws as in any other turn."
            ),
        },
    ),
    "first_turn_trains": Meaning(
        "Where a seat may lay in its first turn of a round. An open double that binds it still comes first.",
        {
            "any_eligible": "On every train that it could use in any other turn.",
            "own_or_mexican": "On its own train and on the Mexican Train.",
            "own_only": "On its own train.",
            "own_until_all_started": "On its own train, in later turns too, until every seat's train holds a tile. The"
            " tile that starts the last of them opens the others at once.",
        },
    ),
    "first_turn_double": Meaning(
        "When doubles that are left open begin to bind.",
        {
            "normal": "As soon as the turn that laid them is over.",
            "deferred": "Not before every seat has had its first turn of the round.",
        },
    ),
    "first_turn_out": Meaning(
        "What happens when a seat lays its last tile before all have had their first turn.",
        {
            "immediate": "The round is over at once.",
            "finish_lap": "The others still have their first turn; then the round is over.",
        },
    ),
    "mexican_start": Meaning(
        "When a seat may lay the first tile of the Mexican Train.",
        {
            "any_turn": "In any of its turns.",
            "second_turn": "From its second turn of the round on.",
            "all_trains_started": "Once every seat's own train holds a tile.",
            "never": "Never: there is no Mexican Train.",
        },
    ),
    "own_train_required_for": Meaning(
        "What a seat may not do before its own train holds a tile. Any of these, or none of them.",
        {
            (): "It may do everything.",
            "mexican": "Lay on the Mexican Train.",
            "open_trains": "Lay on another seat's train.",
            "covering": "Cover a double that binds it: it starts its own train instead.",
        },
    ),
    "open_empty_train_playable": Meaning(
        "Whether others may lay the first tile of a seat's train, where they may lay on it at all.",
        {True: "They may.", False: "Only the seat itself starts its own train."},
    ),
    "train_privacy": Meaning(
        "When others may lay on a seat's own train.",
        {
            "marker": "While it is marked.",
            "public_until_own_play": "Until the seat itself has laid a tile there, and later while it is marked.",
            "always_public": "At any time, marked or not.",
        },
    ),
    "must_play": Meaning(
        "Whether a seat that can lay a tile has to.",
        {
            True: "It has to lay one.",
            False: "It may draw once instead, and then lay a tile or pass. With an empty boneyard it may pass at once.",
        },
    ),
    "draw_rule": Meaning(
        "How many tiles a seat draws if it cannot lay any.",
        {
            "one": "One.",
            "until_playable": "One after another, until it can lay a tile or the boneyard is empty.",
            "until_playable_if_unstarted": "As long as its own train holds no tile, one after another until it can lay"
            " one or the boneyard is empty; later only one.",
        },
    ),
    "drawn_tile": Meaning(
        "Whether a drawn tile that can be laid has to be.",
        {"must": "It has to be laid.", "may": "The seat may keep it, and pass."},
    ),
    "draw_scope": Meaning(
        "Whether a seat may draw again after it has laid a double in the same turn.",
        {
            "per_placement": "It may: each double that it lays allows another draw.",
            "per_turn": "It may not: a turn has one draw, before the double or after it.",
        },
    ),
    "marker_on_fail": Meaning(
        "When a seat that passes is marked.",
        {
            "always": "Always, also if it has laid a double in that turn and cannot go on.",
            "if_nothing_played": "Only if it has laid nothing in that turn.",
        },
    ),
    "marker_on_empty_boneyard": Meaning(
        "Whether a seat that passes with an empty boneyard is marked.",
        {True: "It is marked like any other.", False: "With an empty boneyard nobody is marked."},
    ),
    "marker_clear": Meaning(
        "When a seat's marker comes off.",
        {
            "auto_own_play": "When the seat lays a tile on its own train.",
            "optional_own_play": "When the seat lays a tile on its own train, unless it says with the play that the"
            " marker stays.",
            "any_play": "When the seat lays a tile on any train.",
        },
    ),
    "double_follow_up": Meaning(
        "What a seat has to do after laying a double.",
        {
            "cover": "Cover it in the same turn. If it cannot, even after a draw, it passes and the double stays open.",
            "anywhere": "Lay one more tile, on the double or on any other train that it may use. The double stays open"
            " until it is covered.",
            "none": "Nothing. A double is a tile like any other, and never an open double.",
        },
    ),
    "doubles_per_turn": Meaning(
        "How many doubles a seat may lay in one turn, one after another.",
        {1: "One.", 2: "Two.", None: "Any number."},
    ),
    "chain_follow_up": Meaning(
        "Where the next tile that is not a double goes, after two or more doubles in one turn. Only the doubles that "
        "were laid in this turn and are still open count.",
        {
            "anywhere": "On any of them, or on any train that the seat may use.",
            "first_double": "On the one that was laid first.",
            "last_double": "On the one that was laid last.",
            "any_open_double": "On any of them.",
        },
    ),
    "cover_continues": Meaning(
        "Whether a seat that has covered a double goes on while others are open.",
        {
            False: "It does not: after the cover it is the next seat's turn.",
            True: "It goes on with the next double that it has laid in this turn or that binds it.",
        },
    ),
    "double_obligation": Meaning(
        "Which seats an open double binds in later turns: they may do nothing else before it is covered.",
        {
            "table": "Every seat, until it is covered.",
            "one_lap": "Every seat, until the turn is back at the layer; after that, no seat.",
            "layer_only": "Only the layer.",
            "none": "Nobody: it is an end like any other as soon as the turn that laid it is over.",
        },
    ),
    "double_close_order": Meaning(
        "Which of several open doubles has to be covered first.",
        {"in_order": "The oldest.", "reverse": "The newest."},
    ),
    "cover_fail_marker": Meaning(
        "Which seats are marked when they pass although they had to cover a double.",
        {"all": "Every seat that passes.", "layer_exempt": "Every seat but the layer."},
    ),
    "dead_double": Meaning(
        "What happens to an open double that no tile can cover, because every tile with its pips lies on the table.",
        {
            "lifts": "It binds nobody. A seat that has just laid it and would have to cover it has ended its turn,"
            " without a draw or a marker.",
            "blocks": "It binds like any other; the seats that it binds can only draw and pass.",
        },
    ),
    "finish_on_double": Meaning(
        "What happens when a seat's last tile is a double.",
        {
            "ends_round": "The seat is out, and the round is over.",
            "must_cover": (
                "A seat is out once its hand is empty and no double that it laid is open. Until then play continues, "
                "and in its turns the seat draws if it can and passes if it cannot. It is out as soon as any seat "
                "covers that double, or the double is dead or binds no seat."
            ),
        },
    ),
    "announce": Meaning(
        "What happens when a seat has one tile left at the end of its turn.",
        {
            "off": "Nothing.",
            "automatic": "The server announces it.",
            "penalty": "The seat has to announce it before its turn ends, or with the move that ends it. If it does"
            " not, any other seat may call it until the next seat's turn is over, and then it draws tiles.",
        },
    ),
    "announce_penalty_tiles": Meaning(
        "How many tiles a called seat draws, or as many as the boneyard has. It matters if `announce` is `penalty`.",
        {1: "One.", 2: "Two."},
    ),
    "blocked_detection": Meaning(
        "When a round is blocked. The server checks this after every pass, once the boneyard is empty.",
        {
            "pass_lap_and_no_move": "When every seat has passed since the last tile was laid, and no seat could lay a"
            " tile or be out if all seats went on passing.",
            "pass_lap": "When every seat has passed since the last tile was laid, although those passes may have marked"
            " a train that somebody could use.",
            "no_move": "When no seat could lay a tile or be out if all seats went on passing, whether all have passed"
            " or not.",
        },
    ),
    "double_blank_points": Meaning(
        "What 0-0 counts in a hand.",
        {0: "Nothing.", 25: "25 points.", 50: "50 points."},
    ),
    "blank_half_points": Meaning(
        "What the blank end of any tile but 0-0 counts.",
        {0: "Nothing.", 5: "5 points, besides the other end.", 25: "25 points, besides the other end."},
    ),
    "double_factor": Meaning(
        "What doubles count in a hand; 0-0 has an option of its own.",
        {1: "Their pips.", 2: "Twice their pips."},
    ),
    "going_out_points": Meaning(
        "What the seat that is out scores.",
        {0: "Nothing.", -5: "Minus 5 points.", -10: "Minus 10 points."},
    ),
    "blocked_lowest_zero": Meaning(
        "What the lowest hand of a blocked round scores.",
        {False: "Its points, like every other.", True: "Nothing; several that are equally low all score nothing."},
    ),
    "tie_break": Meaning(
        "Who wins when several seats have the lowest total.",
        {
            "shared": "They share the win.",
            "zero_rounds_then_low_round": (
                "The seat with more rounds without points; then the seat with the lowest other round; if that is "
                "equal too, they share the win."
            ),
        },
    ),
}
