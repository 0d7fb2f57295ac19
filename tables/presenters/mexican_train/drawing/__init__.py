"""Draws a position as SVG: the engine in the middle, and the trains that leave it. Only presented facts are drawn."""

from collections.abc import Mapping
from typing import Any

from tables.presenters.mexican_train.drawing.layout import laid_out
from tables.presenters.mexican_train.drawing.markup import markup
from tables.presenters.mexican_train.drawing.scene import Scene, past_scene, present_scene


def board(position: Mapping[str, Any], names: Mapping[int, str | None], shape: str) -> str:
    """Draw the position as it is presented to a caller. ``names`` are the players' names by seat."""
    return drawn(present_scene(position, names), shape)


def past_board(position: Mapping[str, Any], names: Mapping[int, str | None], shape: str) -> str:
    """Draw a position of a round that is over, with all hands open."""
    return drawn(past_scene(position, names), shape)


def drawn(scene: Scene, shape: str) -> str:
    return markup(scene, laid_out(scene, shape))
