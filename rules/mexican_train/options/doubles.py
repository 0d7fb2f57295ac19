"""Options about doubles, in the turn that lays them and in later turns, with their questions (``rules.md`` §3 A, C)."""

from dataclasses import dataclass
from typing import TypeVar

from rules.mexican_train.options.kinds import Value, one_of

T = TypeVar("T")


@dataclass(frozen=True, kw_only=True)
class DoubleOptions:
    """What follows a double, and whom an open double binds."""

    double_follow_up: str = one_of(
        "What a seat has to do after laying a double.",
        Value(
            "cover",
            "Cover it in the same turn. If it cannot, even after a draw, it passes and the double stays open.",
            sheet=(
                "A seat that lays a double has to cover it in the same turn. If it cannot, even after a draw, it "
                "passes, and the double stays open."
            ),
        ),
        Value(
            "anywhere",
            (
                "Lay one more tile, on the double or on any other train that it may use. The double stays open until "
                "it is covered."
            ),
            sheet=(
                "A seat that lays a double lays one more tile, on the double or on any other train that it may use. "
                "The double stays open until it is covered."
            ),
        ),
        Value(
            "none",
            "Nothing. A double is a tile like any other, and never an open double.",
            sheet="A double is a tile like any other.",
        ),
    )

    @property
    def opens_doubles(self) -> bool:
        """Whether doubles need a follow-up and can become open doubles."""
        return self.double_follow_up != "none"

    doubles_per_turn: int | None = one_of(
        "How many doubles a seat may lay in one turn, one after another.",
        Value(
            1,
            "One.",
            sheet={
                "usual": "A turn has one double at most.",
                "long first turns": "After a first turn, a turn has one double at most.",
            },
        ),
        Value(
            2,
            "Two.",
            sheet={
                "usual": (
                    "Instead of that tile a second double may be laid, where it fits on a train that does not end in "
                    "an open double."
                ),
                "long first turns": (
                    "After a first turn, a second double may be laid instead of that tile, where it fits on a train "
                    "that does not end in an open double."
                ),
            },
        ),
        Value(
            None,
            "Any number.",
            sheet={
                "usual": (
                    "Instead of that tile another double may be laid, and another after it, wherever they fit on "
                    "trains that do not end in an open double."
                ),
                "long first turns": (
                    "After a first turn, another double may be laid instead of that tile, and another after it, "
                    "wherever they fit on trains that do not end in an open double."
                ),
            },
        ),
    )

    def may_lay_another_double(self, laid: int) -> bool:
        """Whether a turn that has laid this many doubles may lay another."""
        return self.doubles_per_turn is None or laid < self.doubles_per_turn

    chain_follow_up: str = one_of(
        (
            "Where the next tile that is not a double goes, after two or more doubles in one turn. Only the doubles "
            "that were laid in this turn and are still open count."
        ),
        Value(
            "anywhere",
            "On any of them, or on any train that the seat may use.",
            sheet="The tile after several doubles goes on any train that the seat may use.",
        ),
        Value(
            "first_double",
            "On the one that was laid first.",
            sheet="The tile after several doubles goes on the one that was laid first.",
        ),
        Value(
            "last_double",
            "On the one that was laid last.",
            sheet="The tile after several doubles goes on the one that was laid last.",
        ),
        Value("any_open_double", "On any of them.", sheet="The tile after several doubles goes on any of them."),
        default="first_double",
    )

    def may_follow_up_anywhere(self, laid: int) -> bool:
        """Whether the tile after this many doubles may go on any available train."""
        value = self.double_follow_up if laid == 1 else self.chain_follow_up
        return value == "anywhere"

    def doubles_to_follow_up(self, still_open: tuple[T, ...]) -> tuple[T, ...]:
        """The doubles of this turn that the next tile may cover."""
        match self.chain_follow_up:
            case "first_double":
                return still_open[:1]
            case "last_double":
                return still_open[-1:]
            case _:
                return still_open

    def dead_double_ends_turn(self, laid: int) -> bool:
        """Whether the newest of this many doubles must be covered, so that the turn ends if it is dead."""
        return self.double_follow_up == "cover" and (laid == 1 or self.chain_follow_up == "last_double")

    cover_continues: bool = one_of(
        "Whether a seat that has covered a double goes on while others are open.",
        Value(False, "It does not: after the cover it is the next seat's turn.", sheet=""),
        Value(
            True,
            "It goes on with the next double that it has laid in this turn or that binds it.",
            sheet=(
                "A seat that has covered a double goes on with the next one that it has laid in this turn or that "
                "binds it."
            ),
        ),
    )

    @property
    def coverer_goes_on(self) -> bool:
        """Whether a seat that has covered a double goes on with the next open double."""
        return self.cover_continues

    double_obligation: str = one_of(
        "Which seats an open double binds in later turns: they may do nothing else before it is covered.",
        Value(
            "table",
            "Every seat, until it is covered.",
            sheet="An open double binds every seat in later turns: nothing else may be laid before it is covered.",
        ),
        Value(
            "one_lap",
            "Every seat, until the turn is back at the layer; after that, no seat.",
            sheet=(
                "An open double binds every seat in later turns: nothing else may be laid before it is covered. When "
                "the turn is back at the seat that laid it, it binds nobody any more."
            ),
        ),
        Value(
            "layer_only",
            "Only the layer.",
            sheet=(
                "An open double binds only the seat that laid it: in later turns that seat may lay nothing else before "
                "it is covered."
            ),
        ),
        Value(
            "none",
            "Nobody: it is an end like any other as soon as the turn that laid it is over.",
            sheet="An open double binds nobody in later turns: it is an end like any other.",
        ),
    )

    def binds(self, *, is_layer: bool) -> bool:
        """Whether a seat must cover an open double of an earlier turn.

        ``is_layer`` says that the seat laid it. A double that lapses when the turn is back at its layer never binds the
        layer.
        """
        match self.double_obligation:
            case "table":
                return True
            case "one_lap":
                return not is_layer
            case _:
                return is_layer and self.double_obligation == "layer_only"

    @property
    def lapses_at_once(self) -> bool:
        """Whether a double binds nobody once the turn that laid it is over."""
        return self.double_obligation == "none"

    @property
    def lapses_at_layer(self) -> bool:
        """Whether a double binds nobody once the turn is back at the seat that laid it."""
        return self.double_obligation == "one_lap"

    double_close_order: str = one_of(
        "Which of several open doubles has to be covered first.",
        Value("in_order", "The oldest.", sheet="Of several open doubles the oldest is covered first."),
        Value("reverse", "The newest.", sheet="Of several open doubles the newest is covered first."),
    )

    @property
    def closes_newest_first(self) -> bool:
        return self.double_close_order == "reverse"

    cover_fail_marker: str = one_of(
        "Which seats are marked when they pass although they had to cover a double.",
        Value("all", "Every seat that passes.", sheet=""),
        Value(
            "layer_exempt",
            "Every seat but the layer.",
            sheet="A seat is not marked for failing to cover a double that it laid itself.",
        ),
    )

    @property
    def spares_layer(self) -> bool:
        """Whether a seat is not marked when it fails to cover a double that it laid itself."""
        return self.cover_fail_marker == "layer_exempt"

    dead_double: str = one_of(
        "What happens to an open double that no tile can cover, because every tile with its pips lies on the table.",
        Value(
            "lifts",
            (
                "It binds nobody. A seat that has just laid it and would have to cover it has ended its turn, without "
                "a draw or a marker."
            ),
            sheet=(
                "A double that no tile can cover, because every tile with its pips lies on the table, binds nobody, "
                "and the seat that lays it need not cover it."
            ),
        ),
        Value(
            "blocks",
            "It binds like any other; the seats that it binds can only draw and pass.",
            sheet=(
                "A double that no tile can cover binds like any other; the seats that it binds can only draw and pass."
            ),
        ),
    )

    @property
    def lifts_dead_doubles(self) -> bool:
        """Whether a double that no tile can cover any more binds nobody."""
        return self.dead_double == "lifts"
