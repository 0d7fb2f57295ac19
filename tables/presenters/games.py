"""The presenters of each game."""

from tables.presenters.game import GamePresenter
from tables.presenters.mexican_train.presenter import MexicanTrainPresenter

PRESENTERS: dict[str, GamePresenter] = {"mexican_train": MexicanTrainPresenter()}
PLAIN = GamePresenter()


def presenter_of(game: str) -> GamePresenter:
    """Return the presenters of a game. A game without its own is presented plainly."""
    return PRESENTERS.get(game, PLAIN)
