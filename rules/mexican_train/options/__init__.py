"""The house rules of a table: every option, declared in the module of its subject, and the record of their values.

A module of this package declares each option once: its values with their meanings and sentences, its *classic* value,
and the questions that the rest of the rules ask about it. No other code compares an option with a value
(``rules.md`` §5).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from functools import partial
from typing import Any

from rules.errors import BadOption
from rules.mexican_train.options.deal import (
    FEWEST_SEATS,
    MOST_SEATS,
    DealOptions,
    fill_dependent,
    hand_size,
    must_be_dealable,
    must_suit,
)
from rules.mexican_train.options.doubles import DoubleOptions
from rules.mexican_train.options.drawing import DrawingOptions
from rules.mexican_train.options.ending import EndingOptions
from rules.mexican_train.options.first_turns import FirstTurnOptions
from rules.mexican_train.options.kinds import Option
from rules.mexican_train.options.markers import MarkerOptions
from rules.mexican_train.options.scoring import ScoringOptions
from rules.mexican_train.options.trains import TrainOptions
from rules.sentences import Sentence

__all__ = [
    "FEWEST_SEATS",
    "MOST_SEATS",
    "OPTIONS",
    "Options",
    "hand_size",
    "must_be_dealable",
    "must_suit",
    "read_each",
    "resolve",
]

SUBJECTS: tuple[type, ...] = (
    DealOptions,
    FirstTurnOptions,
    TrainOptions,
    DrawingOptions,
    MarkerOptions,
    DoubleOptions,
    EndingOptions,
    ScoringOptions,
)
OPTIONS: Mapping[str, Option] = {each.name: each.metadata["option"] for subject in SUBJECTS for each in fields(subject)}
"""The declaration of every option, in the order of the rule book."""


@dataclass(frozen=True, kw_only=True)
class AllSubjects(
    DealOptions,
    FirstTurnOptions,
    TrainOptions,
    DrawingOptions,
    MarkerOptions,
    DoubleOptions,
    EndingOptions,
    ScoringOptions,
):
    """The options of every subject, and the questions that several of them answer together."""

    @property
    def always_binds_everybody(self) -> bool:
        """Whether every open double of an earlier turn binds every seat, even in the first lap."""
        return self.binds(is_layer=True) and self.binds(is_layer=False) and not self.defers_first_doubles

    @property
    def is_mexican_always_open(self) -> bool:
        """Whether every seat may always lay on the Mexican Train, in its first turn and before its own train too."""
        return (
            self.may_start_mexican(is_first_turn=True, are_all_started=False)
            and self.first_turn_may_use_mexican
            and not self.waits_for_all_trains
            and not self.own_train_before_mexican
        )

    @property
    def are_marked_always_open(self) -> bool:
        """Whether every seat may always lay on a marked train, in its first turn and before its own train too."""
        return (
            self.may_start_others_train
            and self.first_turn_may_use_others
            and not self.waits_for_all_trains
            and not self.own_train_before_others
        )

    @property
    def only_markers_decide(self) -> bool:
        """Whether a seat may lay on the Mexican Train, on its own, and on those of others while they are marked."""
        return (
            self.is_mexican_always_open and self.are_marked_always_open and not self.is_public(has_owner_played=False)
        )


QUESTIONS: Mapping[str, property] = {
    name: question
    for subject in (*SUBJECTS, AllSubjects)
    for name, question in vars(subject).items()
    if isinstance(question, property)
}
"""The questions without arguments. A question asks only those before it."""


@dataclass(frozen=True, kw_only=True)
class Options(AllSubjects):
    """The rules of one table, complete and validated.

    ``resolve`` makes them. The questions without arguments are answered when the record is made. Each move asks many of
    them, and to read an answer from its slot takes half as long as to read a ``cached_property``.
    """

    __slots__ = tuple(QUESTIONS)

    def __post_init__(self) -> None:
        for name, question in QUESTIONS.items():
            self.keep(name, question.__get__(self))

    def __reduce__(self) -> tuple[Callable[[], "Options"], tuple[()]]:
        """A copy is made from the values, and answers the questions itself."""
        return partial(type(self), **vars(self)), ()

    def keep(self, name: str, answer: object) -> None:
        """Keep the answer to a question, while the record is made."""
        object.__setattr__(self, name, answer)

    def as_dict(self) -> dict[str, Any]:
        """Every option as JSON has it: maps have text keys, lists are lists."""
        values = {name: getattr(self, name) for name in OPTIONS}
        values["hand_sizes"] = {str(seats): tiles for seats, tiles in self.hand_sizes.items()}
        values["own_train_required_for"] = list(self.own_train_required_for)
        return values


def resolve(overrides: Mapping[str, object]) -> Options:
    """The *classic* rules with these differences.

    Raises ``BadOption`` for the first wrong option, with the others attached.
    """
    usual = {name: option.default for name, option in OPTIONS.items()}
    values: dict[str, Any] = read_each(usual | dict(overrides))
    fill_dependent(values)
    return Options(**values)


def read_each(overrides: Mapping[str, object]) -> dict[str, object]:
    """The validated options, each checked by itself. Raises ``BadOption`` with all that are wrong."""
    values: dict[str, object] = {}
    wrong: list[BadOption] = []
    for name, value in overrides.items():
        try:
            values[name] = read(name, value)
        except BadOption as fault:
            wrong.append(fault)
    if wrong:
        raise BadOption(wrong[0].option, wrong[0].detail, wrong[1:])
    return values


def read(name: str, value: object) -> object:
    if name not in OPTIONS:
        raise BadOption(str(name)[:100], Sentence("this option does not exist."))
    return OPTIONS[name].read(name, value)
