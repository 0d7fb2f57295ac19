"""The *medium* bot: it plans its own train, and gets rid of tiles outside the plan when that costs nothing."""

from rules.mexican_train.bots.choice import Choice
from rules.mexican_train.bots.situation import Situation, announcement_or_call, grounds_of, situation_of, waiting
from rules.mexican_train.moves import Play
from rules.mexican_train.view import View
from rules.thinking import Chance, Guard

NEXT = 50
"""Added for the plan's next tile."""
ELSEWHERE = 1
FOLLOWED = 60
"""For a double that another tile of the hand can follow."""
UNFOLLOWED = -200
"""Added for a double on another train that leaves the seat stuck."""
AGAINST_PLAN = -1000


def own_train_first(view: View, chance: Chance, guard: Guard) -> Choice:
    """Announce or call if possible. Otherwise make the play of the highest worth."""
    if spoken := announcement_or_call(view):
        return spoken
    here = situation_of(view)
    if here is None:
        return waiting(view)
    play = max(here.plays, key=lambda play: worth(here, play))
    return Choice(play, grounds_of(here, play))


def worth(here: Situation, play: Play) -> int:
    """A tile's points, and how well its place fits the plan."""
    return here.points(play) + worth_of_place(here, play) + worth_of_double(here, play)


def worth_of_place(here: Situation, play: Play) -> int:
    if here.is_next(play):
        return NEXT
    if not here.is_free(play):
        return AGAINST_PLAN
    return 0 if here.is_own(play) else ELSEWHERE


def worth_of_double(here: Situation, play: Play) -> int:
    if here.is_followed(play):
        return FOLLOWED
    return UNFOLLOWED if here.is_stuck(play) and not here.is_own(play) else 0
