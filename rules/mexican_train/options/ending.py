"""Options about the last tile of a seat and the end of a round, with their questions (``rules.md`` §3, §4)."""

from dataclasses import dataclass

from rules.mexican_train.options.kinds import Value, one_of


@dataclass(frozen=True, kw_only=True)
class EndingOptions:
    """When a seat is out, what it announces before, and when a round is blocked."""

    finish_on_double: str = one_of(
        "What happens when a seat's last tile is a double.",
        Value(
            "ends_round",
            "The seat is out, and the round is over.",
            sheet="A seat with an empty hand is out, and the round is over.",
        ),
        Value(
            "must_cover",
            (
                "A seat is out once its hand is empty and no double that it laid is open. Until then play continues, "
                "and in its turns the seat draws if it can and passes if it cannot. It is out as soon as any seat "
                "covers that double, or the double is dead or binds no seat."
            ),
            sheet=(
                "A seat is out once its hand is empty and no double that it laid is open; then the round is over. "
                "Until then, in its turns it draws if it can and passes if not."
            ),
        ),
    )

    @property
    def last_double_must_be_covered(self) -> bool:
        """Whether a seat with an empty hand is not out while a double that it laid is open."""
        return self.finish_on_double == "must_cover"

    announce: str = one_of(
        "What happens when a seat has one tile left at the end of its turn.",
        Value("off", "Nothing.", sheet=""),
        Value(
            "automatic",
            "The server announces it.",
            sheet="When a seat has one tile left at the end of its turn, the server announces it.",
        ),
        Value(
            "penalty",
            (
                "The seat has to announce it before its turn ends, or with the move that ends it. If it does not, any "
                "other seat may call it until the next seat's turn is over, and then it draws tiles."
            ),
            sheet=(
                "A seat with one tile left at the end of its turn has to announce it before, or with the move that "
                "ends the turn. If it does not, any other seat may call it until the next seat's turn is over."
            ),
        ),
    )

    @property
    def must_announce(self) -> bool:
        """Whether a seat must announce its last tile, and may be called if it does not."""
        return self.announce == "penalty"

    @property
    def announces_itself(self) -> bool:
        """Whether the server announces a seat's last tile."""
        return self.announce == "automatic"

    announce_penalty_tiles: int = one_of(
        "How many tiles a called seat draws, or as many as the boneyard has. It matters if `announce` is `penalty`.",
        Value(1, "One.", sheet="A seat that is called draws one tile, if the boneyard has one."),
        Value(2, "Two.", sheet="A seat that is called draws two tiles, or as many as the boneyard has."),
        default=2,
    )

    @property
    def penalty_tiles(self) -> int:
        """How many tiles a called seat draws."""
        return self.announce_penalty_tiles

    blocked_detection: str = one_of(
        "When a round is blocked. The server checks this after every pass, once the boneyard is empty.",
        Value(
            "pass_lap_and_no_move",
            (
                "When every seat has passed since the last tile was laid, and no seat could lay a tile or be out if "
                "all seats went on passing."
            ),
            sheet=(
                "With an empty boneyard the round is blocked, and over, when every seat has passed since the last tile "
                "was laid and no seat holds a tile that it could lay."
            ),
        ),
        Value(
            "pass_lap",
            (
                "When every seat has passed since the last tile was laid, although those passes may have marked a "
                "train that somebody could use."
            ),
            sheet=(
                "With an empty boneyard the round is blocked, and over, when every seat has passed since the last tile "
                "was laid."
            ),
        ),
        Value(
            "no_move",
            "When no seat could lay a tile or be out if all seats went on passing, whether all have passed or not.",
            sheet=(
                "With an empty boneyard the round is blocked, and over, when after a pass no seat holds a tile that it "
                "could lay."
            ),
        ),
    )

    @property
    def needs_lap_of_passes(self) -> bool:
        """Whether a round is blocked only after every seat has passed."""
        return self.blocked_detection != "no_move"

    @property
    def needs_nobody_able(self) -> bool:
        """Whether a round is blocked only if no seat could lay a tile."""
        return self.blocked_detection != "pass_lap"

    @property
    def looks_past_passes(self) -> bool:
        """Whether a round is blocked only if further passes would not let any seat play either."""
        return True
