"""Presents moves."""

from typing import Annotated, Literal, NotRequired, TypedDict

from rest.texts import described
from rules.mexican_train.moves import Call, Move, Play
from rules.mexican_train.notation import KEEPING, move_text, train_text
from rules.tiles import tile_text
from tables.presenters.values import MOVE_TYPES


class MoveText(TypedDict):
    move: Annotated[str, "The move as text, such as `12-7>0`, `draw` or `call 2`."]
    keep_marker: NotRequired[
        Annotated[bool, "Present and `true` for a play that keeps the marker on the own train. Send it with the move."]
    ]


class MoveParts(MoveText):
    """A move with its parts. Where a move is presented, ``tile`` and ``seat`` have a meaning of their own."""

    type: Annotated[str, Literal[MOVE_TYPES], "What kind of move it is."]
    train: NotRequired[Annotated[str, "For a play: the train where the tile goes, as the seat's number or `mexican`."]]
    place: NotRequired[
        Annotated[str, "The train where the tile goes. The name of this field is the same in every game."]
    ]


@described("A legal move. Send `move` to `moves`, and `keep_marker` if it is present.")
class LegalMove(MoveParts):
    tile: NotRequired[Annotated[str, "For a play: the tile, such as `12-7`."]]
    seat: NotRequired[Annotated[int, "For a call: the called seat."]]


class Drawn(TypedDict, total=False):
    tile: str
    tiles: list[str]


def present_text(logged: str) -> MoveText:
    """Present the text of a logged move. In the API, keeping the marker is a field of its own."""
    text, kept, _ = logged.partition(KEEPING)
    return {"move": text, "keep_marker": True} if kept else {"move": text}


def present_move(move: Move) -> LegalMove:
    presented = present_text(move_text(move))
    if isinstance(move, Play):
        train = train_text(move.train)
        return {**presented, "type": "play", "tile": tile_text(move.tile), "train": train, "place": train}
    if isinstance(move, Call):
        return {**presented, "type": "call", "seat": move.seat}
    return {**presented, "type": presented["move"]}


def present_drawn(text: str, tiles: list[str]) -> Drawn:
    """Present drawn tiles. A draw takes one tile; after a call, the called seat takes up to as many as the penalty."""
    return {"tile": tiles[0]} if text == "draw" else {"tiles": tiles}
