"""The options of a table for the fast copy: answers that do not depend on the position are computed once a search."""

from dataclasses import dataclass

from rules.mexican_train.options import Options
from rules.tiles import TILES, TileSet


@dataclass(frozen=True, slots=True, eq=False)
class FastRules:
    """Answers of ``options`` that the copy needs at every move.

    Rare questions go to ``options`` itself. A pair of values is indexed by *no* (0) and *yes* (1). ``is_plain``: only
    markers and ``train_privacy`` decide which trains a seat may lay on. ``has_one_double``: at most one double is open
    at a time, and the seat to move must cover it. ``may_wait_for_end``: a round may go on although a hand is empty.
    ``points`` are those of each tile left in hand, in the order of the numbering.
    """

    options: Options
    seats: int
    points: tuple[int, ...]
    all_with: tuple[TileSet, ...]
    is_plain: bool
    is_public: tuple[bool, bool]
    may_start_mexican: tuple[tuple[bool, bool], tuple[bool, bool]]
    marks: tuple[tuple[bool, bool], tuple[bool, bool]]
    has_long_first_turn: bool
    any_play_clears_marker: bool
    needs_lap: bool
    most_draws: tuple[int, int]
    renews_draw: bool
    has_one_double: bool
    may_lapse: bool
    may_wait_for_end: bool
    everybody: int

    @property
    def mexican(self) -> int:
        """The Mexican Train's bit among the trains, after those of the seats."""
        return 1 << self.seats


def rules_for(options: Options, seats: int) -> FastRules:
    """The rules of a round with this number of seats."""
    return FastRules(
        options=options,
        seats=seats,
        points=tuple(options.points_of(each) for each in TILES),
        all_with=tuple(options.all_with(pip) for pip in range(options.highest_pip + 1)),
        is_plain=is_plain(options),
        is_public=(options.is_public(has_owner_played=False), options.is_public(has_owner_played=True)),
        may_start_mexican=starts(options),
        marks=markers(options),
        has_long_first_turn=options.has_long_first_turn,
        any_play_clears_marker=options.any_play_clears_marker,
        needs_lap=options.needs_lap_of_passes,
        most_draws=(options.most_draws(is_unstarted=False), options.most_draws(is_unstarted=True)),
        renews_draw=options.renews_draw,
        has_one_double=has_one_double(options),
        may_lapse=options.lapses_at_once or options.lapses_at_layer,
        may_wait_for_end=options.last_double_must_be_covered or options.finishes_first_lap,
        everybody=(1 << seats) - 1,
    )


def is_plain(options: Options) -> bool:
    """Whether only markers and ``train_privacy`` decide where a seat may lay."""
    has_order = options.own_train_before_mexican or options.own_train_before_others
    is_any_start = all(starts(options)[0] + starts(options)[1]) or not options.has_mexican_train
    return (
        options.first_turn_may_use_mexican
        and options.first_turn_may_use_others
        and not options.waits_for_all_trains
        and options.may_start_others_train
        and is_any_start
        and not has_order
    )


def has_one_double(options: Options) -> bool:
    """Whether a double must be followed by its cover, so that at most one is open, and it binds every seat."""
    return (
        options.opens_doubles
        and options.lifts_dead_doubles
        and options.always_binds_everybody
        and not options.has_long_first_turn
        and not options.own_train_before_covering
        and not options.may_lay_another_double(1)
        and not options.may_follow_up_anywhere(1)
    )


def starts(options: Options) -> tuple[tuple[bool, bool], tuple[bool, bool]]:
    """Whether the Mexican Train may be started, indexed by first turn, then by whether all trains are started."""

    def start(is_first: bool, are_all: bool) -> bool:  # noqa: FBT001
        return options.may_start_mexican(is_first_turn=is_first, are_all_started=are_all)

    return (start(False, False), start(False, True)), (start(True, False), start(True, True))


def markers(options: Options) -> tuple[tuple[bool, bool], tuple[bool, bool]]:
    """Whether a seat that passes is marked, indexed by whether it has laid, then by whether the boneyard is empty."""

    def mark(has_laid: bool, is_empty: bool) -> bool:  # noqa: FBT001
        return options.marks_stuck(has_laid=has_laid, is_boneyard_empty=is_empty)

    return (mark(False, False), mark(False, True)), (mark(True, False), mark(True, True))
