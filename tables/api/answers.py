"""Serializers of the answers about tables, for the schema only. ``presenters`` builds the answers."""

from typing import Any

from rest_framework import serializers

from players.models import Kind
from rest.texts import described
from rules.errors import Reason
from rules.mexican_train.state import Ended
from rules.mexican_train.view import Phase
from rules.records.record import FaultCode
from tables.api.fields import LevelField
from tables.models import By, EndedReason, Status

Answer = serializers.Serializer[Any]
ENDED_REASON = (
    "Why the table is over. For `finished`: `played`, or `forfeited` (forfeited seats changed who won, or every "
    "person's seat was forfeited). For `cancelled`: `cancelled_by_host`, `cancelled_by_admin`, `host_left` (nobody "
    "could start the match), `expired` (nothing happened at an open table for too long), `abandoned` (nobody moved "
    "in a match without a clock)."
)
REASONS = [reason.value for reason in Reason]
PHASES = [phase.value for phase in Phase]
ENDINGS = [ended.value for ended in Ended]
FAULT_CODES = [code.value for code in FaultCode]
MOVE_TYPES = ["play", "draw", "pass", "end", "announce", "call"]
FAIRNESS = ["verified", "partly_verified", "not_stated"]


class ForfeitedField(serializers.BooleanField):
    def __init__(self, **kwargs: Any) -> None:
        super().__init__(
            help_text=(
                "Whether the seat was forfeited: its time ran out under `on_timeout: forfeit`, so it cannot win."
            ),
            **kwargs,
        )


class RoundOnTable(Answer):
    number = serializers.IntegerField()
    of = serializers.IntegerField()
    engine = serializers.CharField()
    engine_from = serializers.IntegerField(
        allow_null=True, help_text="The seat that laid the engine; null if it was set aside."
    )
    starter = serializers.IntegerField(help_text="The seat that has the round's first turn.")
    commitment = serializers.CharField()


class TurnAnswer(Answer):
    seat = serializers.IntegerField()
    phase = serializers.ChoiceField(PHASES)
    deadline = serializers.DateTimeField(allow_null=True)
    server_time = serializers.DateTimeField()


class TrainAnswer(Answer):
    train = serializers.CharField()
    seat = serializers.IntegerField(allow_null=True)
    tiles = serializers.ListField(child=serializers.CharField())
    end = serializers.IntegerField()
    marker = serializers.BooleanField()


class SeatInPlay(Answer):
    seat = serializers.IntegerField()
    name = serializers.CharField(allow_null=True, help_text="The player's name at this table; null for a free seat.")
    kind = serializers.ChoiceField(Kind.choices, allow_null=True, help_text="A person or a bot; null for a free seat.")
    level = LevelField(allow_null=True, help_text="The level of the bot; null if no bot has the seat.")
    tile_count = serializers.IntegerField()
    total = serializers.IntegerField()
    away = serializers.BooleanField()
    forfeited = ForfeitedField()
    announced = serializers.BooleanField(help_text="Whether the seat's last tile was announced.")
    tiles = serializers.ListField(
        child=serializers.CharField(), required=False, help_text="The hand, if the rules have hands_visible."
    )


@described("A legal move. Send `move` to `moves`, and `keep_marker` if it is present.")
class LegalMove(Answer):
    move = serializers.CharField()
    keep_marker = serializers.BooleanField(
        required=False, help_text="Send this with the move: the marker stays on the own train."
    )
    type = serializers.ChoiceField(MOVE_TYPES)
    tile = serializers.CharField(required=False)
    train = serializers.CharField(required=False)
    place = serializers.CharField(
        required=False, help_text="The train where the tile goes. The name of this field is the same in every game."
    )
    seat = serializers.IntegerField(required=False, help_text="For a call: the called seat.")


@described("A legal move, and in one sentence why a bot of this level would make it.")
class HintAnswer(LegalMove):
    table = serializers.UUIDField()
    number = serializers.IntegerField()
    level = LevelField()
    why = serializers.CharField()


@described("A move, and why it is illegal. `option` is the option that decides, if there is one.")
class VerdictAnswer(LegalMove):
    legal = serializers.BooleanField()
    reason = serializers.ChoiceField(REASONS, required=False)
    detail = serializers.CharField(required=False)
    option = serializers.CharField(required=False, allow_null=True)


@described("Every tile of the seat to move on every train, then `draw`, `pass`, `end` and `announce`.")
class ExplanationAnswer(Answer):
    table = serializers.UUIDField()
    number = serializers.IntegerField()
    seat = serializers.IntegerField()
    moves = VerdictAnswer(many=True)


class YouAnswer(Answer):
    seat = serializers.IntegerField()
    tiles = serializers.ListField(child=serializers.CharField())
    legal_moves = LegalMove(many=True)


class RoundResult(Answer):
    number = serializers.IntegerField()
    engine = serializers.CharField()
    starter = serializers.IntegerField()
    ended = serializers.ChoiceField(ENDINGS)
    out = serializers.IntegerField(allow_null=True)
    points = serializers.ListField(child=serializers.IntegerField())
    totals = serializers.ListField(child=serializers.IntegerField())
    hands = serializers.ListField(child=serializers.ListField(child=serializers.CharField()))
    forfeited = serializers.ListField(
        child=serializers.BooleanField(), help_text="For each seat, whether it was forfeited when the round ended."
    )


@described("The newest entry of the log. Only the seat that drew a tile sees it, until the round is over.")
class LastMove(LegalMove):
    number = serializers.IntegerField(help_text="Its place in the table's log, from 1.")
    round = serializers.IntegerField(help_text="The round in which it was made.")
    seat = serializers.IntegerField(help_text="The seat that made the move.")
    keep_marker = serializers.BooleanField(required=False, help_text="The marker stayed on the own train.")
    tile = serializers.CharField(required=False, help_text="The tile laid, or the tile drawn.")
    tiles = serializers.ListField(
        child=serializers.CharField(), required=False, help_text="The tiles that the called seat drew."
    )
    by = serializers.ChoiceField(By.choices, help_text="Who made the move.")
    said = serializers.CharField(required=False, help_text="The move as a sentence, with `said=true`.")


class PositionAnswer(Answer):
    table = serializers.UUIDField()
    status = serializers.ChoiceField(Status.choices)
    version = serializers.IntegerField()
    next_number = serializers.IntegerField()
    round = RoundOnTable(allow_null=True)
    next_commitment = serializers.CharField(allow_null=True)
    turn = TurnAnswer(allow_null=True)
    trains = TrainAnswer(many=True)
    open_doubles = serializers.ListField(child=serializers.CharField())
    boneyard = serializers.IntegerField()
    seats = SeatInPlay(many=True)
    last_move = LastMove(allow_null=True)
    may_be_called = serializers.IntegerField(allow_null=True, help_text="The seat that did not announce its last tile.")
    you = YouAnswer(allow_null=True)
    last_round = RoundResult(allow_null=True)
    winners = serializers.ListField(child=serializers.IntegerField(), allow_null=True)
    ended_reason = serializers.ChoiceField(EndedReason.choices, allow_null=True, help_text=ENDED_REASON)


class PastTurn(Answer):
    seat = serializers.IntegerField()
    phase = serializers.ChoiceField(PHASES)


@described("A position of a round that is over: nothing is hidden. ``turn`` is ``null`` after the round's last move.")
class PastPositionAnswer(Answer):
    table = serializers.UUIDField()
    number = serializers.IntegerField()
    move = serializers.CharField()
    keep_marker = serializers.BooleanField(required=False)
    by_seat = serializers.IntegerField()
    round = serializers.IntegerField()
    turn = PastTurn(allow_null=True)
    trains = TrainAnswer(many=True)
    open_doubles = serializers.ListField(child=serializers.CharField())
    boneyard = serializers.ListField(child=serializers.CharField())
    hands = serializers.ListField(child=serializers.ListField(child=serializers.CharField()))


class MoveAnswer(Answer):
    number = serializers.IntegerField()
    move = serializers.CharField()
    keep_marker = serializers.BooleanField(required=False)
    tile = serializers.CharField(required=False, help_text="The tile drawn, for the seat that drew it.")
    position = PositionAnswer()


class LogEntry(LegalMove):
    """A move as everybody may see it."""

    number = serializers.IntegerField(help_text="Its place in the table's log, from 1.")
    round = serializers.IntegerField()
    seat = serializers.IntegerField(help_text="The seat that made the move.")
    keep_marker = serializers.BooleanField(required=False, help_text="The marker stayed on the own train.")
    tile = serializers.CharField(required=False, help_text="The tile laid. Drawn tiles are hidden.")
    train = serializers.CharField(required=False, help_text="The train where the tile was laid.")
    by = serializers.ChoiceField(By.choices)
    at = serializers.DateTimeField()


@described("An entry of the log. Only the seat that drew a tile sees it, until the round is over.")
class LoggedMove(LogEntry):
    tile = serializers.CharField(
        required=False,
        help_text="The tile laid or drawn. Only the seat that drew a tile sees it, until the round is over.",
    )
    tiles = serializers.ListField(
        child=serializers.CharField(),
        required=False,
        help_text=(
            "For a call: the tiles that the called seat drew. Only that seat sees them, until the round is over."
        ),
    )
    said = serializers.CharField(required=False, help_text="The move as a sentence, with `said=true`.")


class EngineDraw(Answer):
    seat = serializers.IntegerField()
    tile = serializers.CharField()


@described(
    "The deal of a round. `hands` are the hands as dealt: before any draw for the engine, and with the engine if a "
    "hand held it."
)
class DealAnswer(Answer):
    table = serializers.UUIDField()
    round = serializers.IntegerField()
    dealt_here = serializers.BooleanField(
        help_text="Whether this server dealt the round. If not, the round was imported from a record."
    )
    commitment = serializers.CharField(allow_null=True)
    secret = serializers.CharField(allow_null=True, help_text="null if the imported record has no secret.")
    client_seeds = serializers.ListField(child=serializers.CharField(allow_blank=True))
    set_max_pip = serializers.IntegerField()
    order = serializers.ListField(child=serializers.CharField())
    hands = serializers.ListField(child=serializers.ListField(child=serializers.CharField()))
    engine = serializers.CharField()
    engine_set_aside = serializers.BooleanField(
        help_text="Whether the engine was taken out of the order before the deal."
    )
    engine_from = serializers.IntegerField(
        allow_null=True, help_text="The seat that laid the engine; null if it was set aside."
    )
    engine_draws = EngineDraw(
        many=True, help_text="The tiles drawn until the engine appeared, from the order after the hands."
    )
    first_seat = serializers.IntegerField(help_text="The first seat of the round, which also draws first.")
    first_seat_drawn = serializers.BooleanField(
        help_text="Whether the first seat of the first round was chosen by lot."
    )
    starter = serializers.IntegerField(help_text="The seat that had the first turn.")
    engine_selection = serializers.CharField(help_text="The option that decides where the engine comes from.")
    round_starter = serializers.CharField(help_text="The option that decides which seat has the first turn.")
    first_round_starter = serializers.CharField(help_text="The option that decides which seat is the first of round 1.")
    hand_size = serializers.IntegerField(help_text="Tiles dealt to each seat.")


class ClientSeedAnswer(Answer):
    seat = serializers.IntegerField()
    seed = serializers.CharField(allow_blank=True)
    round = serializers.IntegerField(allow_null=True, help_text="The next round to be dealt.")
    commitment = serializers.CharField(allow_null=True)


class RecordSeat(Answer):
    seat = serializers.IntegerField(required=False)
    name = serializers.CharField(allow_blank=True, required=False)
    kind = serializers.ChoiceField(Kind.choices, required=False)
    level = serializers.CharField(required=False, help_text="The level, for a bot.")
    forfeited = serializers.BooleanField(required=False, help_text="A seat that was forfeited cannot win.")


class RecordMove(Answer):
    number = serializers.IntegerField(required=False, help_text="Its place in the table's log, from 1.")
    seat = serializers.IntegerField()
    move = serializers.CharField()
    keep_marker = serializers.BooleanField(required=False)
    by = serializers.ChoiceField(By.choices, required=False)


@described("A round. It has either `order`, or `hands` and `boneyard`. Fields that follow from these are optional.")
class RecordRound(Answer):
    number = serializers.IntegerField(required=False)
    engine = serializers.CharField(required=False, allow_null=True)
    first_seat = serializers.IntegerField(required=False, allow_null=True)
    starter = serializers.IntegerField(required=False, allow_null=True)
    order = serializers.ListField(child=serializers.CharField(), required=False, help_text="The whole set, shuffled.")
    hands = serializers.ListField(
        child=serializers.ListField(child=serializers.CharField()),
        required=False,
        help_text="The hands as dealt, one per seat.",
    )
    boneyard = serializers.ListField(
        child=serializers.CharField(),
        required=False,
        help_text="The tiles of the boneyard, in the order in which they are drawn.",
    )
    secret = serializers.CharField(required=False, allow_null=True)
    commitment = serializers.CharField(required=False, allow_null=True)
    client_seeds = serializers.ListField(child=serializers.CharField(allow_blank=True), required=False)
    moves = RecordMove(many=True)
    ended = serializers.ChoiceField(ENDINGS, required=False, allow_null=True)
    out = serializers.IntegerField(required=False, allow_null=True)
    points = serializers.ListField(child=serializers.IntegerField(), required=False, allow_null=True)
    totals = serializers.ListField(child=serializers.IntegerField(), required=False, allow_null=True)


@described("A match as one document, as `docs/record-format.md` describes it.")
class RecordAnswer(Answer):
    mexican_train = serializers.IntegerField(help_text="The version of the format: 1.")
    headers = serializers.DictField(child=serializers.CharField(allow_blank=True), required=False)
    table = serializers.UUIDField(
        required=False, allow_null=True, help_text="The table's id, from which the shuffles were made."
    )
    preset = serializers.CharField(required=False)
    options = serializers.DictField(required=False)
    engine_version = serializers.IntegerField(required=False)
    seats = RecordSeat(many=True)
    rounds = RecordRound(many=True)
    finished = serializers.BooleanField(required=False)
    winners = serializers.ListField(child=serializers.IntegerField(), required=False, allow_null=True)


@described("The place of a fault; `null` for unknown parts.")
class RecordPlace(Answer):
    round = serializers.IntegerField(allow_null=True)
    number = serializers.IntegerField(allow_null=True, help_text="The move's place in the log.")
    line = serializers.IntegerField(allow_null=True, help_text="The number in a text, from 1.")
    column = serializers.IntegerField(allow_null=True, help_text="The number in a text, from 1.")
    field = serializers.CharField(allow_null=True, help_text="The path of the field in JSON.")


class RecordFault(Answer):
    code = serializers.ChoiceField(FAULT_CODES)
    detail = serializers.CharField()
    where = RecordPlace()
    reason = serializers.ChoiceField(REASONS, allow_null=True, help_text="Why a move is illegal.")
    option = serializers.CharField(allow_null=True, help_text="The option that decides whether the move is legal.")


@described("The result of a record, or its first fault.")
class CheckedRecordAnswer(Answer):
    valid = serializers.BooleanField()
    fault = RecordFault(required=False)
    finished = serializers.BooleanField(required=False)
    rounds = serializers.IntegerField(required=False)
    moves = serializers.IntegerField(required=False)
    totals = serializers.ListField(child=serializers.IntegerField(), required=False)
    winners = serializers.ListField(child=serializers.IntegerField(), required=False, allow_null=True)
    fair = serializers.ChoiceField(
        FAIRNESS,
        required=False,
        help_text="Whether the order of each round follows from its committed secret.",
    )
