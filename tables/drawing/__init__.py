"""A position as SVG: the engine in the middle, and the trains that leave it. Drawn from what is shown, nothing else."""

from collections.abc import Mapping
from typing import Any

from tables.drawing.layout import laid_out
from tables.drawing.markup import markup
from tables.drawing.scene import Scene, past_scene, present_scene


def board(position: Mapping[str, Any], names: Mapping[int, str | None], shape: str) -> str:
    """The position that a caller is shown now. ``names`` are those of the seats' players, as far as they are taken."""
    return drawn(present_scene(position, names), shape)


def past_board(position: Mapping[str, Any], names: Mapping[int, str | None], shape: str) -> str:
    """A position of a round that is over, all hands open."""
    return drawn(past_scene(position, names), shape)


def drawn(scene: Scene, shape: str) -> str:
    return markup(scene, laid_out(scene, shape))
