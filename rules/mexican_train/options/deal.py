"""Options about the set, the deal, the engine and the seat that begins, with their questions (``rules.md`` §6)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rules.errors import BadOption, NotForSeats
from rules.mexican_train.options.hand_sizes import HandSizes
from rules.mexican_train.options.kinds import Value, WholeNumber, declared, one_of
from rules.sentences import Sentence
from rules.tiles import TileSet, all_with_pip, double, set_size

FEWEST_SEATS, MOST_SEATS = 2, 12
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

# Sentences that several values have in common.
NEXT_SEAT = "Each round the first turn goes to the next seat round the table."
NEXT_IS_FIRST = "Each round the next seat round the table is the first."
FIRST_BEGINS = "The first seat has the first turn."
LOWEST_TOTAL = (
    "The first turn of a round goes to the seat with the lowest total so far; of several, to the one with the lowest "
    "number."
)
LAYER_BEGINS = "The seat that lays the engine has the first turn."
AFTER_LAYER = "Laying the engine is that seat's turn; the seat after it goes on."
HOLDER_LAYS = "The seat that was dealt the round's double lays it in the middle: it is the engine."
ONE_LOWER = "In the first round the engine is {engine}-{engine}; each round it is one lower."
FALLING = "In the first round that double is {engine}-{engine}; each round it is one lower."


@dataclass(frozen=True, kw_only=True)
class DealOptions:
    """What is dealt, where the engine comes from, and which seat begins."""

    set_max_pip: int = one_of(
        "The set of tiles, named after its highest double.",
        Value(6, "Double six: 28 tiles.", sheet=""),
        Value(9, "Double nine: 55 tiles.", sheet=""),
        Value(12, "Double twelve: 91 tiles.", sheet=""),
        Value(15, "Double fifteen: 136 tiles.", sheet=""),
        Value(18, "Double eighteen: 190 tiles.", sheet=""),
        default=12,
    )

    @property
    def highest_pip(self) -> int:
        return self.set_max_pip

    @property
    def every_tile(self) -> TileSet:
        """Every tile of the set."""
        return (1 << set_size(self.set_max_pip)) - 1

    def all_with(self, pip: int) -> TileSet:
        """Every tile of the set that has this pip."""
        return all_with_pip(pip, self.set_max_pip)

    hand_sizes: Mapping[int, int] = declared(
        HandSizes(
            question=(
                "How many tiles each seat is dealt, for each possible number of seats; a table cannot have another "
                "number of seats. The set must have enough tiles for all. Where the engine comes from the hands, each "
                "hand has at least two tiles, so that the seat that lays the engine keeps one."
            ),
            choices=(),
            default={2: 15, 3: 15, 4: 15, 5: 12, 6: 12, 7: 10, 8: 10},
            most_seats=MOST_SEATS,
        )
    )

    hands_visible: bool = one_of(
        "Whether everybody sees every hand.",
        Value(
            False,
            "A hand is for its own seat alone until the round is over.",
            sheet="A hand is for its own seat alone until the round is over.",
        ),
        Value(
            True,
            "All hands are public; nothing else changes.",
            sheet="All hands are open: everybody sees every tile in them.",
        ),
    )

    @property
    def shows_hands(self) -> bool:
        """Whether all hands are public."""
        return self.hands_visible

    engine_selection: str = one_of(
        "Where the engine of a round comes from. Tiles drawn in search of it are kept.",
        Value(
            "set_aside",
            "The round's double is taken out of the set before the deal, and no seat holds it.",
            sheet={
                "engine": (
                    "Before the deal the round's double is taken out of the set and laid in the middle: it is the "
                    "engine."
                ),
                "order": ONE_LOWER,
                "search": "",
            },
        ),
        Value(
            "holder_all_draw",
            (
                "The seat that was dealt the round's double lays it. If no seat was, all seats draw a tile each, lap "
                "after lap, until it appears; the lap in which it appears is finished."
            ),
            sheet={
                "engine": HOLDER_LAYS,
                "order": FALLING,
                "search": (
                    "If nobody was dealt it, all seats from the first on draw a tile each, lap after lap, until it "
                    "appears; the lap in which it appears is finished. Drawn tiles are kept."
                ),
            },
        ),
        Value(
            "holder_turn_draw",
            (
                "The seat that was dealt the round's double lays it. If no seat was, one seat after another draws a "
                "tile, from the first seat round the table, until it appears."
            ),
            sheet={
                "engine": HOLDER_LAYS,
                "order": FALLING,
                "search": (
                    "If nobody was dealt it, one seat after another from the first on draws a tile until it appears. "
                    "Drawn tiles are kept."
                ),
            },
        ),
        Value(
            "holder_or_next_lower",
            (
                "The seat that was dealt the round's double lays it. If no seat was, the next lower double in a hand "
                "takes its place. If there is none, the seats draw for any double that has not been an engine, as with "
                "`holder_turn_draw`."
            ),
            sheet={
                "engine": HOLDER_LAYS,
                "order": FALLING,
                "search": (
                    "If nobody was dealt it, it is the next lower double that somebody holds. If there is none either, "
                    "one seat after another from the first on draws a tile until a double appears that has not been an "
                    "engine. Drawn tiles are kept."
                ),
            },
        ),
        Value(
            "highest_held",
            (
                "The highest double in any hand that has not been an engine in this match. If nobody holds one, the "
                "seats draw for one as with `holder_turn_draw`."
            ),
            sheet={
                "engine": (
                    "The engine is the highest double in any hand that has not been an engine in this match; its seat "
                    "lays it in the middle."
                ),
                "order": "",
                "search": (
                    "If nobody holds one, one seat after another from the first on draws a tile until one appears. "
                    "Drawn tiles are kept."
                ),
            },
        ),
        Value(
            "starter_highest",
            (
                "The first seat lays the highest double it holds that has not been an engine. If it has none, it draws "
                "one tile and lays that if it is such a double; if not, the next seat becomes the first and does the "
                "same."
            ),
            sheet={
                "engine": (
                    "The first seat lays the highest double in its hand that has not been an engine in this match: it "
                    "is the engine."
                ),
                "order": "",
                "search": (
                    "If it has none, it draws a tile and lays that if it is such a double; if not, the next seat "
                    "becomes the first and does the same. Drawn tiles are kept."
                ),
            },
        ),
    )

    @property
    def sets_engine_aside(self) -> bool:
        """Whether the engine leaves the set before the deal. Otherwise it comes from a hand."""
        return self.engine_selection == "set_aside"

    def engines_in_question(self, wanted: int, unused: TileSet) -> tuple[TileSet, ...]:
        """Sets of doubles, looked for in the hands one after another.

        If none is found, seats draw for a double of the last set.
        """
        match self.engine_selection:
            case "set_aside" | "holder_all_draw" | "holder_turn_draw":
                return (double(wanted).bit,)
            case "holder_or_next_lower":
                return (unused & ((double(wanted).bit << 1) - 1), unused)
            case _:
                return (unused,)

    @property
    def all_draw_for_engine(self) -> bool:
        """Whether every seat draws in each lap of the search, even after the engine has been found."""
        return self.engine_selection == "holder_all_draw"

    @property
    def starter_lays_engine(self) -> bool:
        """Whether each seat in turn looks and draws for itself, and the one that finds a double becomes the starter."""
        return self.engine_selection == "starter_highest"

    engine_first: int = declared(
        WholeNumber(
            question=(
                "The double that is the engine of the first round, by its pips; in each round the engine is one lower. "
                "Where the hands decide, the search begins with this double; `highest_held` and `starter_highest` "
                "ignore it. It cannot be higher than `set_max_pip`."
            ),
            choices=(Value(None, "The highest double of the set.", sheet=""),),
            default=None,
            low=0,
            one="The first round's double is {count}-{count}.",
            many="The first round's double is {count}-{count}.",
        )
    )

    def engine_wanted(self, round_index: int) -> int:
        """The pip of a round's engine, one lower each round. Where the hands decide, the search begins with it."""
        return self.engine_first - round_index

    rounds: int = declared(
        WholeNumber(
            question=(
                "How many rounds a match has. There can be one for every double from `engine_first` down to 0-0, no "
                "more. Half a match is half of them, rounded up."
            ),
            choices=(Value(None, "As many as there can be.", sheet=""),),
            default=None,
            low=1,
            one="A match has {count} round.",
            many="A match has {count} rounds.",
        )
    )

    @property
    def round_count(self) -> int:
        return self.rounds

    round_starter: str = one_of(
        (
            "Which seat has the first turn of a round. If the engine is set aside, no seat holds it, and "
            "`engine_holder` and `left_of_engine_holder` are the same as `rotate`. With `starter_highest`, it is the "
            "seat that found the engine, or with `left_of_engine_holder` the seat after it."
        ),
        Value(
            "rotate",
            "Each round it is the next seat round the table.",
            sheet={
                "engine from hands": NEXT_IS_FIRST,
                "engine set aside": NEXT_SEAT,
                "holder lays": FIRST_BEGINS,
                "starter lays": LAYER_BEGINS,
            },
        ),
        Value(
            "engine_holder",
            "The seat that lays the engine, and then plays on.",
            sheet={
                "engine from hands": NEXT_IS_FIRST,
                "engine set aside": NEXT_SEAT,
                "holder lays": LAYER_BEGINS,
                "starter lays": LAYER_BEGINS,
            },
        ),
        Value(
            "left_of_engine_holder",
            (
                "The seat after the one that lays the engine: laying it was that seat's turn, but not its first turn "
                "of the round."
            ),
            sheet={
                "engine from hands": NEXT_IS_FIRST,
                "engine set aside": NEXT_SEAT,
                "holder lays": AFTER_LAYER,
                "starter lays": AFTER_LAYER,
            },
        ),
        Value(
            "lowest_total",
            (
                "The seat with the lowest total so far; of several, the one with the lowest number. In the first round "
                "it is the seat of `first_round_starter`."
            ),
            sheet={
                "engine from hands": (
                    "In each later round the first is the seat with the lowest total so far; of several, the one with "
                    "the lowest number."
                ),
                "engine set aside": LOWEST_TOTAL,
                "holder lays": FIRST_BEGINS,
                "starter lays": LAYER_BEGINS,
            },
        ),
    )

    @property
    def lowest_total_begins(self) -> bool:
        return self.round_starter == "lowest_total"

    @property
    def begins_left_of_engine(self) -> bool:
        """Whether the first turn of a round goes to the seat after the one that lays the engine."""
        return self.round_starter == "left_of_engine_holder"

    @property
    def laying_engine_was_first_turn(self) -> bool:
        """Whether laying the engine was the first turn of the seat that laid it. In version 1 it was."""
        return False

    def starter_of(self, first: int, holder: int | None, seats: int) -> int:
        """The seat with the first turn of the round.

        ``holder`` laid the engine; it is ``None`` if the engine was set aside.
        """
        if holder is None:
            return first
        if self.begins_left_of_engine:
            return (holder + 1) % seats
        return holder if self.round_starter == "engine_holder" or self.starter_lays_engine else first

    first_round_starter: str = one_of(
        "Which seat is the first one of the first round. The table must have this seat.",
        *(
            Value(
                f"seat_{seat}",
                meaning,
                sheet={
                    "engine from hands": "In the first round {beginner} is the first seat.",
                    "engine set aside": "In the first round {beginner} has the first turn.",
                },
            )
            for seat, meaning in enumerate(SEATS)
        ),
        Value(
            "random",
            "A seat chosen by lot.",
            sheet={
                "engine from hands": "The first seat of the first round is chosen by lot.",
                "engine set aside": "In the first round, the seat with the first turn is chosen by lot.",
            },
        ),
    )

    @property
    def draws_first_seat(self) -> bool:
        """Whether the first seat of the first round is drawn by lot."""
        return self.first_round_starter == "random"

    @property
    def first_seat_chosen(self) -> int:
        """The first seat of the first round; 0 if it is drawn by lot."""
        return 0 if self.draws_first_seat else int(self.first_round_starter.removeprefix("seat_"))


def fill_dependent(values: dict[str, Any]) -> None:
    """Fill in and check the options that depend on the set: the first engine, and the number of rounds."""
    highest = values["set_max_pip"]
    if values["engine_first"] is None:
        values["engine_first"] = highest
    if values["engine_first"] > highest:
        too_high = Sentence("a double-{highest} set has engines from 0 to {highest}.", highest=highest)
        raise BadOption("engine_first", too_high)
    most = values["engine_first"] + 1
    if values["rounds"] is None:
        values["rounds"] = most
    if values["rounds"] > most:
        too_many = Sentence(
            "a match with the first engine {first} has at most {most} rounds.", first=most - 1, most=most
        )
        raise BadOption("rounds", too_many)


def hand_size(options: DealOptions, seats: int) -> int:
    """How many tiles each seat is dealt. Raises ``BadOption`` if that cannot be dealt."""
    if seats not in options.hand_sizes:
        allowed = ", ".join(map(str, options.hand_sizes))
        others = Sentence("these rules are for {allowed} seats, not {seats}.", allowed=allowed, seats=seats)
        raise NotForSeats(others)
    tiles = options.hand_sizes[seats]
    in_set, least = set_size(options.set_max_pip), 1 if options.sets_engine_aside else 2
    largest = (in_set - (2 - least)) // seats
    if not least <= tiles <= largest:
        can = Sentence(
            "each of {seats} seats can get {least} to {most} of the {all} tiles, not {tiles}",
            seats=seats,
            least=least,
            most=largest,
            all=in_set,
            tiles=tiles,
        )
        raise BadOption("hand_sizes", Sentence("{can}.", can=can) if options.sets_engine_aside else with_engine(can))
    return tiles


def with_engine(can: Sentence) -> Sentence:
    return Sentence("{can}, because the seat that lays the engine must keep at least one.", can=can)


def must_suit(options: DealOptions, seats: int) -> None:
    """Raise ``BadOption`` if the seats cannot be dealt their hands, or the chosen first seat does not exist."""
    hand_size(options, seats)
    if options.first_seat_chosen >= seats:
        none = Sentence("a table of {seats} seats has no {value}.", seats=seats, value=options.first_round_starter)
        raise BadOption("first_round_starter", none)


def must_be_dealable(options: DealOptions) -> None:
    """Raise ``BadOption`` unless every number of seats in ``hand_sizes`` can be dealt its hands."""
    for seats in options.hand_sizes:
        hand_size(options, seats)
