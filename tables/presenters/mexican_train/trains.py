"""Presents the trains."""

from typing import Annotated, TypedDict

from rest.texts import described
from rules.mexican_train.moves import MEXICAN
from rules.mexican_train.notation import laid_tiles, train_text
from rules.mexican_train.state import train_names
from rules.mexican_train.view import View


@described("A train on the table.")
class TrainAnswer(TypedDict):
    train: Annotated[str, "The name of the train in moves: the seat's number, or `mexican`."]
    seat: Annotated[int | None, "The seat whose train it is; `null` for the Mexican Train."]
    tiles: Annotated[list[str], "The tiles from the engine on, each as it lies: `12-5`, then `5-3`."]
    end: Annotated[int, "The pip that the next tile must match."]
    marker: Annotated[bool, "Whether the train is marked, so that every seat may play on it."]


def present_trains(view: View) -> list[TrainAnswer]:
    names = train_names(view.setup.seats)
    has_mexican = view.setup.options.has_mexican_train
    return [
        {
            "train": train_text(name),
            "seat": name if name >= 0 else None,
            "tiles": laid_tiles(train.tiles, view.setup.engine),
            "end": train.end,
            "marker": train.is_marked,
        }
        for name, train in zip(names, view.trains, strict=True)
        if name != MEXICAN or has_mexican
    ]
