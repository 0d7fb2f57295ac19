"""Presents what is particular to Mexican Train."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

from django.utils.translation import gettext
from rest_framework.exceptions import ValidationError

from rules.errors import UnreadableText
from rules.game import AnyGame, AnyOptions
from rules.games import game_of
from rules.mexican_train.bots.words import sentence
from rules.mexican_train.dealing import EngineFound
from rules.mexican_train.moves import Move, Play
from rules.mexican_train.notation import move_sentence, parse_move, train_text
from rules.mexican_train.option_schema import option_schema
from rules.mexican_train.presets import PRESETS, differences_of
from rules.mexican_train.sheet import boneyard
from rules.sentences import Sentence
from rules.tiles import tile_text
from tables.models import Round
from tables.narration import Happened, People
from tables.presenters.game import GamePresenter, Presented
from tables.presenters.mexican_train import drawing, moves, narration, position_text, rulebook
from tables.presenters.mexican_train.trains import present_trains
from tables.snapshots import Snapshot, options_from, tiles_from
from tables.translating import translated

DEAL_OPTIONS = ("engine_selection", "round_starter", "first_round_starter")
"""The options that a deal depends on."""


class MexicanTrainPresenter(GamePresenter):
    def read_move(self, rules: AnyGame, text: str, fields: Mapping[str, Any]) -> Move:
        move = parse_move(text)
        if isinstance(move, Play) and move.keep_marker:  # the log's spelling, which is not the API's
            raise UnreadableText(Sentence("To keep the marker, send keep_marker with the move."))
        if not fields.get("keep_marker"):
            return move
        if not isinstance(move, Play):
            raise ValidationError({"keep_marker": gettext("Only a move that lays a tile can keep the marker.")})
        return replace(move, keep_marker=True)

    def present_text(self, logged: str) -> moves.MoveText:
        return moves.present_text(logged)

    def present_move(self, rules: AnyGame, move: Move) -> moves.LegalMove:
        return moves.present_move(move)

    def present_drawn(self, logged: str, tiles: list[str]) -> moves.Drawn:
        return moves.present_drawn(logged, tiles)

    def drawn_in(self, entry: Mapping[str, Any]) -> list[str]:
        return [entry["tile"]] if entry["type"] == "draw" and "tile" in entry else super().drawn_in(entry)

    def move_phrase(self, rules: AnyGame, logged: str) -> str:
        return move_sentence(parse_move(logged))

    def present_view(self, view: Any) -> Presented:
        if view is None:
            return super().present_view(None)
        return {
            "trains": present_trains(view),
            "open_doubles": [train_text(each.train) for each in view.open_doubles],
        }

    def present_duties(self, view: Any) -> Presented:
        return {"may_be_called": None if view is None else view.exposed}

    def present_seat(self, seat: int, view: Any) -> Presented:
        return {"announced": view is not None and seat in view.announced}

    def present_round(self, snapshot: Snapshot) -> Presented:
        played, rules = snapshot.round, snapshot.rules
        assert played is not None
        facts = rules.public_facts(played.facts)
        return {"engine": facts["engine"], "engine_from": engine_from(snapshot), "starter": facts["starter"]}

    def present_deal(self, rules: Any, options: AnyOptions, seats: int, played: Round) -> Presented:
        found = rules.engine_found(options, seats, tiles_from(played.order), played.facts)
        return {
            "engine": tile_text(found.engine),
            "engine_set_aside": options.sets_engine_aside,
            "engine_from": found.holder,
            "engine_draws": [{"seat": seat, "tile": tile_text(tile)} for seat, tile in found.draws],
            "first_seat": played.facts["first_seat"],
            "first_seat_drawn": options.draws_first_seat,
            "starter": played.facts["starter"],
            **{option: options.as_dict()[option] for option in DEAL_OPTIONS},
        }

    def why(self, view: Any, grounds: Any, names: Mapping[int, str]) -> Sentence:
        return sentence(view, grounds, names)

    def what_a_move_did(self, happened: Happened, people: People) -> Iterator[Sentence]:
        return narration.what_a_move_did(happened, people)

    def round_begins(self, event: Mapping[str, Any], people: People) -> Sentence:
        return narration.round_begins(event["round"], event["engine"], event["starter"], people)

    def round_sentence(self, played: Mapping[str, Any]) -> Sentence:
        return position_text.round_sentence(played)

    def table_sentences(self, position: Mapping[str, Any], people: People) -> Iterator[Sentence]:
        return position_text.table_sentences(position, people)

    def choice(self, legal: Mapping[str, Any], people: People) -> Sentence:
        return position_text.choice(legal, people)

    def board(self, position: Mapping[str, Any], names: Mapping[int, str | None], shape: str) -> str:
        return drawing.board(position, names, shape)

    def past_board(self, position: Mapping[str, Any], names: Mapping[int, str | None], shape: str) -> str:
        return drawing.past_board(position, names, shape)

    def differences_of(self, options: AnyOptions) -> Presented:
        return differences_of(options)

    def boneyard(self, rules: AnyGame, options: AnyOptions, seats: int) -> int:
        return boneyard(options, seats)

    def present_differences(self, preset: str, other: str) -> rulebook.PresetDifferencesAnswer:
        return rulebook.present_differences(PRESETS[preset], PRESETS[other])

    def option_schema(self) -> Presented:
        return option_schema(translated)

    def present_sheet(self, preset: str, options: AnyOptions, names: Sequence[str | None]) -> rulebook.Sheet:
        return rulebook.present_sheet(preset, options, names)


def engine_from(snapshot: Snapshot) -> int | None:
    """Return the seat that laid the engine of the round on the table; ``None`` if the engine was set aside."""
    options, played = snapshot.options, snapshot.round
    assert played is not None
    if options.sets_engine_aside:
        return None
    facts = played.facts["engine"], played.facts["first_seat"]
    return holder_of(*snapshot.pinned, len(snapshot.seats), played.order, *facts)


@lru_cache(maxsize=1024)  # it is the same in every position of a round
def holder_of(game: str, version: int, stored: str, seats: int, order: str, engine: int, first_seat: int) -> int | None:
    rules: Any = game_of(game, version)
    facts = {"engine": engine, "first_seat": first_seat}
    found: EngineFound = rules.engine_found(options_from(stored, game, version), seats, tiles_from(order), facts)
    return found.holder
