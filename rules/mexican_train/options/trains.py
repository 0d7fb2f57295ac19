"""Options about who may lay on which train, with their questions."""

from dataclasses import dataclass

from rules.mexican_train.options.kinds import SubsetOf, Value, declared, one_of

WITH_MEXICAN = "There is a train for each seat, and the Mexican Train for everybody. All of them start from the engine."


@dataclass(frozen=True, kw_only=True)
class TrainOptions:
    """Who may lay on which train, and when."""

    mexican_start: str = one_of(
        "When a seat may lay the first tile of the Mexican Train.",
        Value(
            "any_turn",
            "In any of its turns.",
            sheet={
                "trains": WITH_MEXICAN,
                "start": "The Mexican Train may be started in any turn.",
            },
        ),
        Value(
            "second_turn",
            "From its second turn of the round on.",
            sheet={
                "trains": WITH_MEXICAN,
                "start": "A seat may start the Mexican Train from its second turn of the round on.",
            },
        ),
        Value(
            "all_trains_started",
            "Once every seat's own train holds a tile.",
            sheet={
                "trains": WITH_MEXICAN,
                "start": "The Mexican Train may be started once every seat's own train holds a tile.",
            },
        ),
        Value(
            "never",
            "Never: there is no Mexican Train.",
            sheet={
                "trains": "There is a train for each seat, and no Mexican Train. All of them start from the engine.",
                "start": "",
            },
        ),
    )

    @property
    def has_mexican_train(self) -> bool:
        return self.mexican_start != "never"

    def may_start_mexican(self, *, is_first_turn: bool, are_all_started: bool) -> bool:
        """Whether a seat may lay the Mexican Train's first tile."""
        match self.mexican_start:
            case "second_turn":
                return not is_first_turn
            case "all_trains_started":
                return are_all_started
            case _:
                return self.has_mexican_train

    own_train_required_for: tuple[str, ...] = declared(
        SubsetOf(
            question="What a seat may not do before its own train holds a tile. Any of these, or none of them.",
            choices=(
                Value(
                    "mexican",
                    "Lay on the Mexican Train.",
                    sheet={
                        "mexican": "A seat may not lay on the Mexican Train before its own train holds a tile.",
                        "others": "",
                        "covering": "",
                    },
                ),
                Value(
                    "open_trains",
                    "Lay on another seat's train.",
                    sheet={
                        "mexican": "",
                        "others": "A seat may not lay on another seat's train before its own holds a tile.",
                        "covering": "",
                    },
                ),
                Value(
                    "covering",
                    "Cover a double that binds it: it starts its own train instead.",
                    sheet={
                        "mexican": "",
                        "others": "",
                        "covering": (
                            "A seat that is bound while its own train is empty starts that instead of covering."
                        ),
                    },
                ),
            ),
            default=(),
            nothing="It may do everything.",
        )
    )

    @property
    def own_train_before_mexican(self) -> bool:
        return "mexican" in self.own_train_required_for

    @property
    def own_train_before_others(self) -> bool:
        return "open_trains" in self.own_train_required_for

    @property
    def own_train_before_covering(self) -> bool:
        return "covering" in self.own_train_required_for

    open_empty_train_playable: bool = one_of(
        "Whether others may lay the first tile of a seat's train, where they may lay on it at all.",
        Value(True, "They may.", sheet="Where others may use a seat's train, they may also lay its first tile."),
        Value(
            False,
            "Only the seat itself starts its own train.",
            sheet="Only the seat itself lays the first tile of its train.",
        ),
    )

    @property
    def may_start_others_train(self) -> bool:
        """Whether others may lay the first tile of a seat's train where it is open to them."""
        return self.open_empty_train_playable

    train_privacy: str = one_of(
        "When others may lay on a seat's own train.",
        Value(
            "marker",
            "While it is marked.",
            sheet="A seat may use its own train, and another seat's while that is marked.",
        ),
        Value(
            "public_until_own_play",
            "Until the seat itself has laid a tile there, and later while it is marked.",
            sheet=(
                "A seat may use its own train, and another seat's until that seat has laid a tile there, and later "
                "while it is marked."
            ),
        ),
        Value(
            "always_public",
            "At any time, marked or not.",
            sheet="A seat may use every seat's train, marked or not.",
        ),
    )

    def is_public(self, *, has_owner_played: bool) -> bool:
        """Whether a seat's train is open to everybody without a marker."""
        match self.train_privacy:
            case "public_until_own_play":
                return not has_owner_played
            case _:
                return self.train_privacy == "always_public"
