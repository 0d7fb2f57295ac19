"""Options about markers, with their questions."""

from dataclasses import dataclass

from rules.mexican_train.options.kinds import Value, one_of


@dataclass(frozen=True, kw_only=True)
class MarkerOptions:
    """When a seat is marked, and when its marker comes off."""

    marker_on_fail: str = one_of(
        "When a seat that passes is marked.",
        Value(
            "always",
            "Always, also if it has laid a double in that turn and cannot go on.",
            sheet="A seat that passes is marked.",
        ),
        Value(
            "if_nothing_played",
            "Only if it has laid nothing in that turn.",
            sheet="A seat that passes is marked, unless it has laid a tile in that turn.",
        ),
    )

    marker_on_empty_boneyard: bool = one_of(
        "Whether a seat that passes with an empty boneyard is marked.",
        Value(True, "It is marked like any other.", sheet=""),
        Value(False, "With an empty boneyard nobody is marked.", sheet="Once the boneyard is empty, nobody is marked."),
    )

    def marks_stuck(self, *, has_laid: bool, is_boneyard_empty: bool) -> bool:
        """Whether a seat that passes is marked, apart from the exception for its own double."""
        if has_laid and self.marker_on_fail == "if_nothing_played":
            return False
        return self.marker_on_empty_boneyard or not is_boneyard_empty

    marker_clear: str = one_of(
        "When a seat's marker comes off.",
        Value(
            "auto_own_play",
            "When the seat lays a tile on its own train.",
            sheet="The marker comes off when the seat lays a tile on its own train.",
        ),
        Value(
            "optional_own_play",
            "When the seat lays a tile on its own train, unless it says with the play that the marker stays.",
            sheet=(
                "The marker comes off when the seat lays a tile on its own train, unless it says that the marker stays."
            ),
        ),
        Value(
            "any_play",
            "When the seat lays a tile on any train.",
            sheet="The marker comes off when the seat lays a tile on any train.",
        ),
    )

    @property
    def any_play_clears_marker(self) -> bool:
        """Whether a play on any train takes off the seat's marker, not only one on its own train."""
        return self.marker_clear == "any_play"

    @property
    def may_keep_marker(self) -> bool:
        """Whether a play on the own train may keep the marker."""
        return self.marker_clear == "optional_own_play"
