"""What the planning bots derive from their view: the tiles they may lay, their plan, and the tiles outside the plan."""

from typing import NamedTuple

from rules.mexican_train.bots.choice import Choice, Grounds, Why
from rules.mexican_train.bots.covering import (
    asks_for_more,
    covers_of,
    is_last_double_stuck,
    loose_doubles,
    may_follow_up,
)
from rules.mexican_train.bots.trail import Loose, trail
from rules.mexican_train.moves import Announce, Call, Play
from rules.mexican_train.view import View
from rules.tiles import Tile, TileSet, highest_in, set_of

PLAN_STEPS = 300


class Situation(NamedTuple):
    """The view of a seat that may lay a tile.

    ``plan`` is the trail from the end of its train, ``free`` the tiles outside it.
    """

    view: View
    seat: int
    plays: list[Play]
    plan: tuple[Tile, ...]
    free: TileSet
    loose: Loose

    def points(self, play: Play) -> int:
        """The points that the tile costs while it stays in the hand."""
        return self.view.setup.options.points_of(play.tile)

    def is_free(self, play: Play) -> bool:
        """Whether the tile is outside the plan."""
        return bool(play.tile.bit & self.free)

    def is_own(self, play: Play) -> bool:
        return play.train == self.seat

    def is_next(self, play: Play) -> bool:
        """Whether this play lays the plan's next tile on the seat's own train."""
        return play.train == self.seat and self.plan[:1] == (play.tile,)

    def is_followed(self, play: Play) -> bool:
        """Whether the play is a double, and the seat can lay the tile required after it."""
        return self.asks_for_more(play) and may_follow_up(self.view, play, self.plays)

    def is_stuck(self, play: Play) -> bool:
        """Whether the play is a double, and the seat cannot lay the tile required after it."""
        return self.asks_for_more(play) and not may_follow_up(self.view, play, self.plays)

    def asks_for_more(self, play: Play) -> bool:
        return asks_for_more(self.view.hand, play.tile, self.loose)

    def is_cover(self, play: Play) -> bool:
        return not play.tile.is_double and any(each.train == play.train for each in self.view.open_doubles)


def situation_of(view: View) -> Situation | None:
    """The situation of a seat that may lay a tile; ``None`` if it may not, or if waiting is better."""
    plays = plays_worth_it(view)
    if not plays:
        return None
    assert view.seat is not None
    loose, end = loose_doubles(view), view.trains[view.seat].end
    plan = trail(view.hand, end, PLAN_STEPS, loose, view.setup.options.points_of)
    return Situation(view, view.seat, plays, plan, view.hand & ~set_of(plan), loose)


def plays_worth_it(view: View) -> list[Play]:
    """The plays worth making. A marker is never kept, because it opens the own train to others."""
    plays = [move for move in view.legal_moves if isinstance(move, Play) and not move.keep_marker]
    has_other = not isinstance(view.legal_moves[-1], Play)
    return [] if has_other and may_improve(view) and is_last_double_stuck(view) else plays


def may_improve(view: View) -> bool:
    """Whether waiting can bring another tile. With an empty boneyard, a seat could wait without end."""
    return view.boneyard_count > 0


def announcement_or_call(view: View) -> Choice | None:
    """A call or an announcement, if one is legal. It costs no tile, so it comes first."""
    for move in reversed(view.legal_moves):  # calls and announcements are the last legal moves
        if isinstance(move, Call):
            return Choice(move, Grounds(Why.CALL, seat=move.seat))
        if isinstance(move, Announce):
            return Choice(move, Grounds(Why.ANNOUNCE))
    return None


def waiting(view: View) -> Choice:
    """The move of a seat that lays nothing: the rules leave only one."""
    return Choice(next(move for move in view.legal_moves if not isinstance(move, Play)), Grounds(Why.KEEP))


def grounds_of(here: Situation, play: Play) -> Grounds:
    """Why the plan suggests a play, or what it costs the plan."""
    cover = cover_after(here, play)
    return Grounds(why_of(here, play), train=len(here.plan), cover=cover)


def why_of(here: Situation, play: Play) -> Why:
    is_cover = here.is_cover(play)
    if here.is_next(play):
        return Why.COVER_BY_PLAN if is_cover else Why.PLAN
    if not here.is_free(play) or (here.plan and here.is_own(play)):
        return Why.COVER_AT_COST if is_cover else Why.AT_COST
    if is_cover:
        return Why.COVER_BY_SPARE
    return Why.OWN_END if here.is_own(play) else Why.SPARE


def cover_after(here: Situation, play: Play) -> Tile | None:
    """The tile that will cover a double in the same turn: the plan's next, or else the heaviest cover."""
    is_asked = play.tile.is_double and here.view.setup.options.opens_doubles and not here.view.progress.doubles
    covers = covers_of(here.view.hand, play.tile) if is_asked else 0
    if not covers:
        return None
    return here.plan[1] if here.is_next(play) and here.plan[1:] else highest_in(covers)
