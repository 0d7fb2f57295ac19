"""Options about points and winners, with their questions (``rules.md`` §4)."""

from dataclasses import dataclass

from rules.mexican_train.options.kinds import Value, one_of
from rules.sentences import Sentence
from rules.tiles import Tile


@dataclass(frozen=True, kw_only=True)
class ScoringOptions:
    """What a round scores, and who wins a match."""

    double_blank_points: int = one_of(
        "What 0-0 counts in a hand.",
        Value(0, "Nothing.", sheet=""),
        *(
            Value(
                points,
                Sentence("{points} points.", points=points),
                sheet=Sentence("0-0 counts {points} points.", points=points),
            )
            for points in (25, 50)
        ),
    )

    blank_half_points: int = one_of(
        "What the blank end of any tile but 0-0 counts.",
        Value(0, "Nothing.", sheet=""),
        *(
            Value(
                points,
                Sentence("{points} points, besides the other end.", points=points),
                sheet=Sentence(
                    "The blank end of any other tile counts {points} points, besides the other end.", points=points
                ),
            )
            for points in (5, 25)
        ),
    )

    double_factor: int = one_of(
        "What doubles count in a hand; 0-0 has an option of its own.",
        Value(1, "Their pips.", sheet=""),
        Value(2, "Twice their pips.", sheet="Doubles count twice their pips."),
    )

    def points_of(self, tile: Tile) -> int:
        """The points of a tile left in hand."""
        if tile.pips == 0:
            return self.double_blank_points
        if tile.is_double:
            return tile.pips * self.double_factor
        return tile.pips + (self.blank_half_points if tile.low == 0 else 0)

    going_out_points: int = one_of(
        "What the seat that is out scores.",
        Value(0, "Nothing.", sheet=""),
        *(
            Value(
                -points,
                Sentence("Minus {points} points.", points=points),
                sheet=Sentence("The seat that is out scores minus {points} points.", points=points),
            )
            for points in (5, 10)
        ),
    )

    @property
    def points_for_going_out(self) -> int:
        return self.going_out_points

    blocked_lowest_zero: bool = one_of(
        "What the lowest hand of a blocked round scores.",
        Value(False, "Its points, like every other.", sheet=""),
        Value(
            True,
            "Nothing; several that are equally low all score nothing.",
            sheet="The lowest hand of a blocked round scores nothing; several that are equally low all score nothing.",
        ),
    )

    @property
    def lowest_of_blocked_scores_nothing(self) -> bool:
        return self.blocked_lowest_zero

    tie_break: str = one_of(
        "Who wins when several seats have the lowest total.",
        Value("shared", "They share the win.", sheet="Seats with the same lowest total share the win."),
        Value(
            "zero_rounds_then_low_round",
            (
                "The seat with more rounds without points; then the seat with the lowest other round; if that is equal "
                "too, they share the win."
            ),
            sheet=(
                "Of the seats with the same lowest total, the seat with more rounds without points wins; then the seat "
                "with the lowest other round; if that is equal too, they share the win."
            ),
        ),
    )

    @property
    def breaks_ties_by_rounds(self) -> bool:
        """Whether seats with equal lowest totals are compared by zero rounds, then by the lowest other round."""
        return self.tie_break == "zero_rounds_then_low_round"
