"""The *hard* bot: it sheds spare tiles first, keeps its train closed, and hurries when a rival is nearly out."""

from collections.abc import Iterable, Sequence

from rules.mexican_train.bots.choice import Choice, Why
from rules.mexican_train.bots.situation import Situation, announcement_or_call, grounds_of, situation_of, waiting
from rules.mexican_train.bots.trail import TILE_VALUE, trail
from rules.mexican_train.moves import MEXICAN, Play
from rules.mexican_train.view import View
from rules.thinking import Chance, Guard

MEXICAN_FIRST = 10
"""How much more a tile is worth on the Mexican Train than on a rival's train, where it may help the rival."""
FOLLOWED = 60
"""Added for a double that another tile of the hand can follow."""
NEXT_WHEN_LATE = 10
"""How much more the plan's next tile is worth than a free tile on a rival's train, when a rival is nearly out."""
NEAR_OUT = 2
"""A rival with this many tiles or fewer is nearly out."""
STEPS_AHEAD = 100


def spare_first(view: View, chance: Chance, guard: Guard) -> Choice:
    """Announce or call if possible. Otherwise cover a double, close the train, shed a free tile, or follow the plan."""
    if spoken := announcement_or_call(view):
        return spoken
    here = situation_of(view)
    if here is None:
        return waiting(view)
    return covering(here) or by_plan(here)


def covering(here: Situation) -> Choice | None:
    """Cover an open double: by the plan, with a free tile, or with the tile that harms the plan least.

    ``None`` if no double has to be covered.
    """
    covers = [play for play in here.plays if here.is_cover(play)]
    following = next_play(here)
    if following in covers:
        return chosen(here, following)
    if not covers or any(not here.is_cover(play) and not play.tile.is_double for play in here.plays):
        return None
    further = heaviest(here, further_doubles(here))
    free = heaviest(here, filter(here.is_free, covers))
    return chosen(here, further or free or least_harm(here, covers))


def further_doubles(here: Situation) -> list[Play]:
    """Further doubles to lay after those of this turn. Each is one more tile in the same turn."""
    doubles = [play for play in here.plays if play.tile.is_double and not here.is_stuck(play)]
    return [play for play in doubles if here.is_next(play) or here.is_free(play)]


def by_plan(here: Situation) -> Choice:
    """Close the own train if it is open to others. Otherwise lay a free tile on a public train, or follow the plan."""
    following = next_play(here)
    if following and is_open_to_others(here):
        return Choice(following, grounds_of(here, following)._replace(why=Why.CLOSE))
    spare = best_spare(here)
    own = None if here.plan else next(filter(here.is_own, here.plays), None)  # a double that cannot be covered
    if spare is None or following is None:
        return chosen(here, own or spare or following or least_harm(here, here.plays))
    return in_a_hurry(here, spare, following) or chosen(here, spare)


def in_a_hurry(here: Situation, spare: Play, following: Play) -> Choice | None:
    """The better of a free tile and the plan's next tile, if a rival is nearly out; otherwise ``None``."""
    rival = nearest_rival(here)
    left = here.view.hand_counts[rival]
    if left > NEAR_OUT:
        return None
    play = max(spare, following, key=lambda play: worth(here, play))
    return Choice(play, grounds_of(here, play)._replace(why=Why.NEAR_OUT, seat=rival, left=left))


def nearest_rival(here: Situation) -> int:
    """The rival with the fewest tiles; among equals, the one that moves first."""
    counts, seats = here.view.hand_counts, here.view.setup.seats
    return min(((here.seat + step) % seats for step in range(1, seats)), key=lambda seat: counts[seat])


def best_spare(here: Situation) -> Play | None:
    """The best free tile that fits a train other than the seat's own."""
    spares = [play for play in here.plays if here.is_free(play) and not here.is_own(play)]
    return max(spares, key=lambda play: worth(here, play), default=None)


def worth(here: Situation, play: Play) -> int:
    """A tile's points, with additions for a harmless place and for a double that is followed up."""
    place = MEXICAN_FIRST if play.train == MEXICAN else NEXT_WHEN_LATE if here.is_own(play) else 0
    return here.points(play) + place + (FOLLOWED if here.is_followed(play) else 0)


def least_harm(here: Situation, plays: Sequence[Play]) -> Play:
    """The tile that leaves the best plan, for a seat whose every play takes a tile out of the plan."""
    return max(plays, key=lambda play: (plan_left(here, play), here.points(play)))


def plan_left(here: Situation, play: Play) -> int:
    """The worth of the best plan that remains after this play."""
    end = here.view.trains[here.seat].end
    end = play.tile.other_end(end) if here.is_own(play) else end
    left = trail(here.view.hand & ~play.tile.bit, end, STEPS_AHEAD, here.loose)
    return sum(TILE_VALUE + tile.pips for tile in left)


def is_open_to_others(here: Situation) -> bool:
    """Whether others may lay on the own train now, and only the seat's own play there would close it."""
    view, options = here.view, here.view.setup.options
    if options.is_public(has_owner_played=True):
        return False
    if view.trains[here.seat].is_marked:
        return not options.any_play_clears_marker
    has_played = bool(view.standing.played_own >> here.seat & 1)
    return options.is_public(has_owner_played=has_played)


def next_play(here: Situation) -> Play | None:
    return next(filter(here.is_next, here.plays), None)


def heaviest(here: Situation, plays: Iterable[Play]) -> Play | None:
    return max(plays, key=here.points, default=None)


def chosen(here: Situation, play: Play) -> Choice:
    return Choice(play, grounds_of(here, play))
