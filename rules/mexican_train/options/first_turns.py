"""Options about the first turn of each seat in a round, with their questions."""

from dataclasses import dataclass

from rules.mexican_train.options.kinds import Value, one_of

# Sentences that several values have in common.
OWN_UNTIL_ALL = (
    "Until every seat's train holds a tile, each seat lays on its own train only. The tile that starts the last train "
    "opens the others at once."
)
OWN_ONLY = "In its first turn of a round a seat lays on its own train only."


@dataclass(frozen=True, kw_only=True)
class FirstTurnOptions:
    """What is different in the first turn of a seat."""

    first_turn_length: str = one_of(
        "How many tiles a seat may lay in its first turn of a round.",
        Value(
            "one",
            "One, as in every turn.",
            sheet={
                "tiles": "",
                "doubles": "",
            },
        ),
        Value(
            "unlimited",
            (
                "As many as it likes, one after another; after the first it may end the turn at any time. Doubles need "
                "not be covered during this turn, and are open doubles when it ends. A seat that cannot lay a first "
                "tile draws as in any other turn."
            ),
            sheet={
                "tiles": (
                    "In its first turn of a round a seat may lay as many tiles as it likes, one after another; after "
                    "the first it may end the turn at any time."
                ),
                "doubles": "Doubles need not be covered during such a turn, and are open doubles when it ends.",
            },
        ),
    )

    @property
    def has_long_first_turn(self) -> bool:
        """Whether a seat may lay any number of tiles in its first turn."""
        return self.first_turn_length == "unlimited"

    first_turn_trains: str = one_of(
        "Where a seat may lay in its first turn of a round. An open double that binds it still comes first.",
        Value(
            "any_eligible",
            "On every train that it could use in any other turn.",
            sheet={
                "with Mexican Train": "",
                "without": "",
            },
        ),
        Value(
            "own_or_mexican",
            "On its own train and on the Mexican Train.",
            sheet={
                "with Mexican Train": (
                    "In its first turn of a round a seat lays on its own train or on the Mexican Train only."
                ),
                "without": OWN_ONLY,
            },
        ),
        Value(
            "own_only",
            "On its own train.",
            sheet={
                "with Mexican Train": OWN_ONLY,
                "without": OWN_ONLY,
            },
        ),
        Value(
            "own_until_all_started",
            (
                "On its own train, in later turns too, until every seat's train holds a tile. The tile that starts the "
                "last of them opens the others at once."
            ),
            sheet={
                "with Mexican Train": OWN_UNTIL_ALL,
                "without": OWN_UNTIL_ALL,
            },
        ),
    )

    @property
    def first_turn_may_use_mexican(self) -> bool:
        return self.first_turn_trains != "own_only"

    @property
    def first_turn_may_use_others(self) -> bool:
        return self.first_turn_trains in ("any_eligible", "own_until_all_started")

    @property
    def waits_for_all_trains(self) -> bool:
        """Whether every seat keeps to its own train until each seat's train holds a tile."""
        return self.first_turn_trains == "own_until_all_started"

    first_turn_double: str = one_of(
        "When doubles that are left open begin to bind.",
        Value("normal", "As soon as the turn that laid them is over.", sheet=""),
        Value(
            "deferred",
            "Not before every seat has had its first turn of the round.",
            sheet="Open doubles bind nobody before every seat has had its first turn.",
        ),
    )

    @property
    def defers_first_doubles(self) -> bool:
        """Whether open doubles bind no seat before every seat has had its first turn."""
        return self.first_turn_double == "deferred"

    first_turn_out: str = one_of(
        "What happens when a seat lays its last tile before all have had their first turn.",
        Value("immediate", "The round is over at once.", sheet=""),
        Value(
            "finish_lap",
            "The others still have their first turn; then the round is over.",
            sheet="If a seat is out before all have had their first turn, the others still have theirs.",
        ),
    )

    @property
    def finishes_first_lap(self) -> bool:
        """Whether the other seats still have their first turn when a seat goes out in the first lap."""
        return self.first_turn_out == "finish_lap"
