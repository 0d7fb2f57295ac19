"""Presents what is particular to a game."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext
from rest_framework.exceptions import ValidationError

from rules.errors import BadOption
from rules.game import AnyGame, AnyOptions, View
from rules.sentences import Sentence
from rules.tiles import set_size
from tables import refusals
from tables.models import Round
from tables.narration import Happened, People
from tables.presenters.mexican_train.moves import Drawn, LegalMove, MoveText
from tables.presenters.mexican_train.nothing import (
    NO_FACTS_OF_A_ROUND,
    NOTHING_MISSED,
    NOTHING_OF_A_SEAT,
    NOTHING_ON_THE_TABLE,
)
from tables.presenters.mexican_train.rulebook import PresetDifferencesAnswer, Sheet
from tables.snapshots import Snapshot
from tables.translating import translated

Presented = dict[str, Any]
"""Members of an answer, by name."""


class GamePresenter:
    """The presenters of a game.

    This class can present any game: a move as its text, and of a round only what all games share. A game with more to
    present has a subclass.
    """

    # Moves

    def read_move(self, rules: AnyGame, text: str, fields: Mapping[str, Any]) -> Any:
        """Return the move that a body names. ``fields`` are the fields beside its text, which only some games have.

        Raises ``UnreadableText``, or a ``ValidationError`` that names the field.
        """
        for field, value in fields.items():
            if value:
                raise ValidationError({field: gettext("This game has no such field.")})
        return rules.parse(text)

    def present_text(self, logged: str) -> MoveText:
        """Present the text of a logged move."""
        return {"move": logged}

    def present_move(self, rules: AnyGame, move: Any) -> LegalMove:
        """Present a move by its text and what a client needs to offer it."""
        return {**self.present_text(rules.text(move)), "type": rules.type_of(move)}

    def present_drawn(self, logged: str, tiles: list[str]) -> Drawn:
        """Present the tiles that a move took from the boneyard."""
        return {"tiles": tiles}

    def drawn_in(self, entry: Mapping[str, Any]) -> list[str]:
        """Return the drawn tiles that a presented log entry names."""
        return list(entry.get("tiles", ()))

    def move_phrase(self, rules: AnyGame, logged: str) -> str:
        """Return a move as a phrase for the admin."""
        return logged

    # Positions and rounds

    def present_view(self, view: View[Any] | None) -> Presented:
        """Present what lies on the table. Without a view, no round has been dealt."""
        return dict(NOTHING_ON_THE_TABLE)

    def present_duties(self, view: View[Any] | None) -> Presented:
        """Present what seats have missed. Without a view, no round is being played."""
        return dict(NOTHING_MISSED)

    def present_seat(self, seat: int, view: View[Any] | None) -> Presented:
        """Present what the round says of a seat, besides its tiles."""
        return dict(NOTHING_OF_A_SEAT)

    def present_round(self, snapshot: Snapshot) -> Presented:
        """Present the facts of the round on the table."""
        assert snapshot.round is not None
        return NO_FACTS_OF_A_ROUND | snapshot.rules.public_facts(snapshot.round.facts)

    def present_deal(self, rules: AnyGame, options: AnyOptions, seats: int, played: Round) -> Presented:
        """Present how a finished round was dealt, besides its order and its hands."""
        return dict(played.facts)

    # Words

    def why(self, view: View[Any], grounds: Any, names: Mapping[int, str]) -> Sentence:
        """Return the sentence that says why a bot would make its move."""
        return Sentence("A bot of this level would play this.")

    def what_a_move_did(self, happened: Happened, people: People) -> Iterator[Sentence]:
        """Yield the sentences for a move: what was done, and what it changed on the table."""
        name = people.name(happened.seat)
        if happened.seat == people.reader:
            yield Sentence("You play {move}.", move=happened.text)
        else:
            yield Sentence("{name} plays {move}.", name=name, move=happened.text)

    def round_begins(self, event: Mapping[str, Any], people: People) -> Sentence:
        """Return the sentence that a round was dealt."""
        return Sentence("Round {number} begins.", number=event["round"])

    def round_sentence(self, played: Mapping[str, Any]) -> Sentence:
        """Return the sentence that names the round on the table."""
        return Sentence("Round {number}.", number=played["number"])

    def table_sentences(self, position: Mapping[str, Any], people: People) -> Iterator[Sentence]:
        """Yield the sentences for what lies on the table."""
        yield from ()

    def choice(self, legal: Mapping[str, Any], people: People) -> Sentence:
        """Return a legal move as a phrase that follows "You may"."""
        return Sentence("play {move}", move=legal["move"])

    # Pictures

    def board(self, position: Mapping[str, Any], names: Mapping[int, str | None], shape: str) -> str:
        """Draw the position as it is presented to a caller."""
        raise refusals.NotFound(gettext("There is no picture of this game."))

    def past_board(self, position: Mapping[str, Any], names: Mapping[int, str | None], shape: str) -> str:
        """Draw a position of a round that is over, with all hands open."""
        raise refusals.NotFound(gettext("There is no picture of this game."))

    # Rules

    def present_preset(self, rules: AnyGame, preset: str) -> Presented:
        options = rules.options_of(preset, {})
        return {
            "name": preset,
            "title": translated(rules.presets[preset]),
            "seats": [seats for seats in rules.seats if suits(rules, options, seats)],
            "options": options.as_dict(),
            "differences": self.differences_of(options),
        }

    def differences_of(self, options: AnyOptions) -> Presented:
        """Return the options that differ from the usual rules of the game."""
        return {}

    def boneyard(self, rules: AnyGame, options: AnyOptions, seats: int) -> int:
        """Return how many tiles are left after a deal."""
        return set_size(options.highest_pip) - seats * rules.hand_size(options, seats)

    def present_differences(self, preset: str, other: str) -> PresetDifferencesAnswer:
        """Present the differences between two presets in words."""
        raise refusals.NotFound(gettext("There is no rule sheet of this game."))

    def option_schema(self) -> Presented:
        """Return the JSON Schema of all options."""
        return {"type": "object", "properties": {}, "additionalProperties": False}

    def present_sheet(self, preset: str, options: AnyOptions, names: Sequence[str | None]) -> Sheet:
        """Present all rules of a table in words."""
        raise refusals.NotFound(gettext("There is no rule sheet of this game."))


def suits(rules: AnyGame, options: AnyOptions, seats: int) -> bool:
    try:
        rules.must_suit(options, seats)
    except BadOption:
        return False
    return True
