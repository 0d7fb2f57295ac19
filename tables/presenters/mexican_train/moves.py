"""Presents moves."""

from collections.abc import Sequence
from typing import Any

from rules.mexican_train.moves import Call, Draw, Move, Play
from rules.mexican_train.notation import KEEPING, move_text, tile_text, train_text


def present_text(logged: str) -> dict[str, Any]:
    """Present the text of a logged move. In the API, keeping the marker is a field of its own."""
    text, kept, _ = logged.partition(KEEPING)
    return {"move": text, "keep_marker": True} if kept else {"move": text}


def present_move(move: Move) -> dict[str, Any]:
    told = present_text(move_text(move))
    if isinstance(move, Play):
        train = train_text(move.train)
        return {**told, "type": "play", "tile": tile_text(move.tile), "train": train, "place": train}
    if isinstance(move, Call):
        return {**told, "type": "call", "seat": move.seat}
    return {**told, "type": told["move"]}


def present_moves(legal: Sequence[Move]) -> list[dict[str, Any]]:
    return [present_move(move) for move in legal]


def drawer_of(move: Move, mover: int) -> int | None:
    """Return the seat whose hand gets tiles from the boneyard by this move; ``None`` if there is none."""
    match move:
        case Draw():
            return mover
        case Call(seat=called):
            return called
    return None


def present_drawn(text: str, tiles: list[str]) -> dict[str, Any]:
    """Present drawn tiles. A draw takes one tile; after a call, the called seat takes up to as many as the penalty."""
    return {"tile": tiles[0]} if text == "draw" else {"tiles": tiles}
