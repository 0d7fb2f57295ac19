"""House rules as data, their limits, and the questions that other modules ask about them (``rules.md`` §5).

Only this file compares an option with a value. Every rule that varies is a question here.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any, TypeVar

from rules.errors import BadOption, NotForSeats
from rules.mexican_train.option_kinds import KINDS
from rules.sentences import Sentence
from rules.tiles import Tile, TileSet, all_with_pip, double, set_size

T = TypeVar("T")


@dataclass(frozen=True, kw_only=True)
class Options:
    """The rules of one table, complete and validated.

    ``resolve`` makes them. A question without arguments is answered once and cached, because some are asked at every
    move.
    """

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

    # The questions, by section of ``rules.md``.

    # The set and the match.

    @cached_property
    def highest_pip(self) -> int:
        return self.set_max_pip

    def all_with(self, pip: int) -> TileSet:
        """Every tile of the set that has this pip."""
        return all_with_pip(pip, self.set_max_pip)

    @cached_property
    def round_count(self) -> int:
        return self.rounds

    def engine_wanted(self, round_index: int) -> int:
        """The pip of a round's engine, one lower each round. Where the hands decide, the search begins with it."""
        return self.engine_first - round_index

    @cached_property
    def draws_first_seat(self) -> bool:
        """Whether the first seat of the first round is drawn by lot."""
        return self.first_round_starter == "random"

    @cached_property
    def first_seat_chosen(self) -> int:
        """The first seat of the first round; 0 if it is drawn by lot."""
        return 0 if self.draws_first_seat else int(self.first_round_starter.removeprefix("seat_"))

    @cached_property
    def lowest_total_begins(self) -> bool:
        return self.round_starter == "lowest_total"

    # The deal (``rules.md`` §6).

    @cached_property
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

    @cached_property
    def all_draw_for_engine(self) -> bool:
        """Whether every seat draws in each lap of the search, even after the engine has been found."""
        return self.engine_selection == "holder_all_draw"

    @cached_property
    def starter_lays_engine(self) -> bool:
        """Whether each seat in turn looks and draws for itself, and the one that finds a double becomes the starter."""
        return self.engine_selection == "starter_highest"

    @cached_property
    def begins_left_of_engine(self) -> bool:
        """Whether the first turn of a round goes to the seat after the one that lays the engine."""
        return self.round_starter == "left_of_engine_holder"

    @cached_property
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

    # First turns.

    @cached_property
    def has_long_first_turn(self) -> bool:
        """Whether a seat may lay any number of tiles in its first turn."""
        return self.first_turn_length == "unlimited"

    @cached_property
    def first_turn_may_use_mexican(self) -> bool:
        return self.first_turn_trains != "own_only"

    @cached_property
    def first_turn_may_use_others(self) -> bool:
        return self.first_turn_trains in ("any_eligible", "own_until_all_started")

    @cached_property
    def waits_for_all_trains(self) -> bool:
        """Whether every seat keeps to its own train until each seat's train holds a tile."""
        return self.first_turn_trains == "own_until_all_started"

    @cached_property
    def defers_first_doubles(self) -> bool:
        """Whether open doubles bind no seat before every seat has had its first turn."""
        return self.first_turn_double == "deferred"

    @cached_property
    def finishes_first_lap(self) -> bool:
        """Whether the other seats still have their first turn when a seat goes out in the first lap."""
        return self.first_turn_out == "finish_lap"

    # Trains.

    @cached_property
    def has_mexican_train(self) -> bool:
        return self.mexican_start != "never"

    def may_start_mexican(self, *, is_first_turn: bool, are_all_started: bool) -> bool:
        """Whether a seat may lay the Mexican Train's first tile."""
        match self.mexican_start:
            case "second_turn":
                return not is_first_turn
            case "all_trains_started":
                return are_all_started
            case _:
                return self.has_mexican_train

    @cached_property
    def own_train_before_mexican(self) -> bool:
        return "mexican" in self.own_train_required_for

    @cached_property
    def own_train_before_others(self) -> bool:
        return "open_trains" in self.own_train_required_for

    @cached_property
    def own_train_before_covering(self) -> bool:
        return "covering" in self.own_train_required_for

    @cached_property
    def may_start_others_train(self) -> bool:
        """Whether others may lay the first tile of a seat's train where it is open to them."""
        return self.open_empty_train_playable

    def is_public(self, *, has_owner_played: bool) -> bool:
        """Whether a seat's train is open to everybody without a marker."""
        match self.train_privacy:
            case "public_until_own_play":
                return not has_owner_played
            case _:
                return self.train_privacy == "always_public"

    # Drawing and passing.

    @cached_property
    def may_decline(self) -> bool:
        """Whether a seat that can lay a tile may draw instead, and then pass."""
        return not self.must_play

    @cached_property
    def may_keep_drawn(self) -> bool:
        """Whether a seat may keep a drawn tile that it could lay."""
        return self.drawn_tile == "may"

    def draws_until_playable(self, *, is_unstarted: bool) -> bool:
        """Whether a stuck seat draws again. ``is_unstarted`` says that its own train is empty."""
        match self.draw_rule:
            case "until_playable_if_unstarted":
                return is_unstarted
            case _:
                return self.draw_rule == "until_playable"

    @cached_property
    def renews_draw(self) -> bool:
        """Whether a seat may draw again in the same turn after laying a tile."""
        return self.draw_scope == "per_placement"

    # Markers.

    def marks_stuck(self, *, has_laid: bool, is_boneyard_empty: bool) -> bool:
        """Whether a seat that passes is marked, apart from the exception for its own double."""
        if has_laid and self.marker_on_fail == "if_nothing_played":
            return False
        return self.marker_on_empty_boneyard or not is_boneyard_empty

    @cached_property
    def spares_layer(self) -> bool:
        """Whether a seat is not marked when it fails to cover a double that it laid itself."""
        return self.cover_fail_marker == "layer_exempt"

    @cached_property
    def any_play_clears_marker(self) -> bool:
        """Whether a play on any train takes off the seat's marker, not only one on its own train."""
        return self.marker_clear == "any_play"

    @cached_property
    def may_keep_marker(self) -> bool:
        """Whether a play on the own train may keep the marker."""
        return self.marker_clear == "optional_own_play"

    # Doubles in the turn that lays them (``rules.md`` §3 C).

    @cached_property
    def opens_doubles(self) -> bool:
        """Whether doubles need a follow-up and can become open doubles."""
        return self.double_follow_up != "none"

    def may_lay_another_double(self, laid: int) -> bool:
        """Whether a turn that has laid this many doubles may lay another."""
        return self.doubles_per_turn is None or laid < self.doubles_per_turn

    def may_follow_up_anywhere(self, laid: int) -> bool:
        """Whether the tile after this many doubles may go on any available train."""
        value = self.double_follow_up if laid == 1 else self.chain_follow_up
        return value == "anywhere"

    def doubles_to_follow_up(self, still_open: tuple[T, ...]) -> tuple[T, ...]:
        """The doubles of this turn that the next tile may cover."""
        match self.chain_follow_up:
            case "first_double":
                return still_open[:1]
            case "last_double":
                return still_open[-1:]
            case _:
                return still_open

    def dead_double_ends_turn(self, laid: int) -> bool:
        """Whether the newest of this many doubles must be covered, so that the turn ends if it is dead."""
        return self.double_follow_up == "cover" and (laid == 1 or self.chain_follow_up == "last_double")

    @cached_property
    def coverer_goes_on(self) -> bool:
        """Whether a seat that has covered a double goes on with the next open double."""
        return self.cover_continues

    # Doubles left open by earlier turns (``rules.md`` §3 A).

    @cached_property
    def always_binds_everybody(self) -> bool:
        """Whether every open double of an earlier turn binds every seat, even in the first lap."""
        return self.double_obligation == "table" and not self.defers_first_doubles

    def binds(self, *, is_layer: bool) -> bool:
        """Whether a seat must cover an open double of an earlier turn.

        ``is_layer`` says that the seat laid it. A double that lapses when the turn is back at its layer never binds the
        layer.
        """
        match self.double_obligation:
            case "table":
                return True
            case "one_lap":
                return not is_layer
            case _:
                return is_layer and self.double_obligation == "layer_only"

    @cached_property
    def lapses_at_once(self) -> bool:
        """Whether a double binds nobody once the turn that laid it is over."""
        return self.double_obligation == "none"

    @cached_property
    def lapses_at_layer(self) -> bool:
        """Whether a double binds nobody once the turn is back at the seat that laid it."""
        return self.double_obligation == "one_lap"

    @cached_property
    def closes_newest_first(self) -> bool:
        return self.double_close_order == "reverse"

    @cached_property
    def lifts_dead_doubles(self) -> bool:
        """Whether a double that no tile can cover any more binds nobody."""
        return self.dead_double == "lifts"

    # The end of a round, and what it scores (``rules.md`` §4).

    @cached_property
    def last_double_must_be_covered(self) -> bool:
        """Whether a seat with an empty hand is not out while a double that it laid is open."""
        return self.finish_on_double == "must_cover"

    @cached_property
    def must_announce(self) -> bool:
        """Whether a seat must announce its last tile, and may be called if it does not."""
        return self.announce == "penalty"

    @cached_property
    def announces_itself(self) -> bool:
        """Whether the server announces a seat's last tile."""
        return self.announce == "automatic"

    @cached_property
    def penalty_tiles(self) -> int:
        """How many tiles a called seat draws."""
        return self.announce_penalty_tiles

    @cached_property
    def needs_lap_of_passes(self) -> bool:
        """Whether a round is blocked only after every seat has passed."""
        return self.blocked_detection != "no_move"

    @cached_property
    def needs_nobody_able(self) -> bool:
        """Whether a round is blocked only if no seat could lay a tile."""
        return self.blocked_detection != "pass_lap"

    @cached_property
    def looks_past_passes(self) -> bool:
        """Whether a round is blocked only if further passes would not let any seat play either."""
        return True

    def points_of(self, tile: Tile) -> int:
        """The points of a tile left in hand."""
        if tile.pips == 0:
            return self.double_blank_points
        if tile.is_double:
            return tile.pips * self.double_factor
        return tile.pips + (self.blank_half_points if tile.low == 0 else 0)

    @cached_property
    def points_for_going_out(self) -> int:
        return self.going_out_points

    @cached_property
    def lowest_of_blocked_scores_nothing(self) -> bool:
        return self.blocked_lowest_zero

    @cached_property
    def breaks_ties_by_rounds(self) -> bool:
        """Whether seats with equal lowest totals are compared by zero rounds, then by the lowest other round."""
        return self.tie_break == "zero_rounds_then_low_round"

    @cached_property
    def shows_hands(self) -> bool:
        """Whether all hands are public."""
        return self.hands_visible


def resolve(overrides: Mapping[str, object]) -> Options:
    """The *classic* rules with these differences.

    Raises ``BadOption`` for the first wrong option, with the others attached.
    """
    usual = {option: kind.default for option, kind in KINDS.items()}
    values: dict[str, Any] = read_each(usual | dict(overrides))
    fill_dependent(values)
    return Options(**values)


def read_each(overrides: Mapping[str, object]) -> dict[str, object]:
    """The validated options, each checked by itself. Raises ``BadOption`` with all that are wrong."""
    values: dict[str, object] = {}
    wrong: list[BadOption] = []
    for option, value in overrides.items():
        try:
            values[option] = read(option, value)
        except BadOption as fault:
            wrong.append(fault)
    if wrong:
        raise BadOption(wrong[0].option, wrong[0].detail, wrong[1:])
    return values


def read(option: str, value: object) -> object:
    if option not in KINDS:
        raise BadOption(str(option)[:100], Sentence("this option does not exist."))
    return KINDS[option].read(option, value)


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


def hand_size(options: Options, seats: int) -> int:
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


def must_suit(options: Options, seats: int) -> None:
    """Raise ``BadOption`` if the seats cannot be dealt their hands, or the chosen first seat does not exist."""
    hand_size(options, seats)
    if options.first_seat_chosen >= seats:
        none = Sentence("a table of {seats} seats has no {value}.", seats=seats, value=options.first_round_starter)
        raise BadOption("first_round_starter", none)


def must_be_dealable(options: Options) -> None:
    """Raise ``BadOption`` unless every number of seats in ``hand_sizes`` can be dealt its hands."""
    for seats in options.hand_sizes:
        hand_size(options, seats)
