"""Options about drawing and passing, with their questions."""

from dataclasses import dataclass

from rules.mexican_train.options.kinds import Value, one_of
from rules.tiles import SET_SIZES, set_size

EVERY_TILE = set_size(max(SET_SIZES))


@dataclass(frozen=True, kw_only=True)
class DrawingOptions:
    """When a seat draws, how many tiles, and when it may pass."""

    must_play: bool = one_of(
        "Whether a seat that can lay a tile has to.",
        Value(True, "It has to lay one.", sheet="A seat that can lay a tile has to."),
        Value(
            False,
            "It may draw once instead, and then lay a tile or pass. With an empty boneyard it may pass at once.",
            sheet=(
                "A seat that can lay a tile may draw once instead, and then lay a tile or pass. With an empty boneyard "
                "it may pass at once."
            ),
        ),
    )

    @property
    def may_decline(self) -> bool:
        """Whether a seat that can lay a tile may draw instead, and then pass."""
        return not self.must_play

    draw_rule: str = one_of(
        "How many tiles a seat draws if it cannot lay any.",
        Value("one", "One.", sheet="A seat that cannot lay a tile draws one."),
        Value(
            "until_playable",
            "One after another, until it can lay a tile or the boneyard is empty.",
            sheet="A seat that cannot lay a tile draws one after another, until it can or the boneyard is empty.",
        ),
        Value(
            "until_playable_if_unstarted",
            (
                "As long as its own train holds no tile, one after another until it can lay one or the boneyard is "
                "empty; later only one."
            ),
            sheet=(
                "A seat that cannot lay a tile draws one. As long as its own train holds no tile, it draws one after "
                "another, until it can lay one or the boneyard is empty."
            ),
        ),
    )

    @property
    def draws_one_tile(self) -> bool:
        """Whether a stuck seat draws only one tile."""
        return self.draw_rule == "one"

    def most_draws(self, *, is_unstarted: bool) -> int:
        """How many tiles a stuck seat draws at most, one after another. ``is_unstarted``: its own train is empty."""
        match self.draw_rule:
            case "until_playable":
                return EVERY_TILE
            case "until_playable_if_unstarted":
                return EVERY_TILE if is_unstarted else 1
            case _:
                return 1

    drawn_tile: str = one_of(
        "Whether a drawn tile that can be laid has to be.",
        Value("must", "It has to be laid.", sheet="A drawn tile that can be laid has to be laid."),
        Value("may", "The seat may keep it, and pass.", sheet="A drawn tile that can be laid may be kept."),
    )

    @property
    def may_keep_drawn(self) -> bool:
        """Whether a seat may keep a drawn tile that it could lay."""
        return self.drawn_tile == "may"

    draw_scope: str = one_of(
        "Whether a seat may draw again after it has laid a double in the same turn.",
        Value(
            "per_placement",
            "It may: each double that it lays allows another draw.",
            sheet="After laying a double a seat may draw again in the same turn.",
        ),
        Value(
            "per_turn",
            "It may not: a turn has one draw, before the double or after it.",
            sheet="A turn has one draw, before a double or after it.",
        ),
    )

    @property
    def renews_draw(self) -> bool:
        """Whether a seat may draw again in the same turn after laying a tile."""
        return self.draw_scope == "per_placement"
