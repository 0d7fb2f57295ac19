"""Serializers of the answers about tables, for the schema only. ``presenters`` builds the answers."""

from typing import Any

from rest_framework import serializers

from players.models import Kind
from rest.texts import described
from rules.errors import Reason
from rules.record import FaultCode
from rules.state import Ended
from rules.view import Phase
from tables.api.fields import LevelField
from tables.models import By, EndedReason, OnTimeout, Spectators, Status, Visibility

Answer = serializers.Serializer[Any]
ENDED_REASON = (
    "Why the table is over. `finished`: `played`, or `forfeited` (seats that were forfeited changed who won, or every "
    "person's seat was). `cancelled`: `cancelled_by_host`, `cancelled_by_admin`, `host_left` (nobody is there to start "
    "it), `expired` (open, and nothing happened for too long), `abandoned` (a match without a clock, and nobody moved)."
)
REASONS = [reason.value for reason in Reason]
PHASES = [phase.value for phase in Phase]
ENDINGS = [ended.value for ended in Ended]
FAULT_CODES = [code.value for code in FaultCode]
MOVE_TYPES = ["play", "draw", "pass", "end", "announce", "call"]
FAIRNESS = ["verified", "partly_verified", "not_stated"]


class SeatedPlayer(Answer):
    id = serializers.UUIDField()
    name = serializers.CharField()
    kind = serializers.ChoiceField(Kind.choices)
    level = LevelField(required=False, help_text="Of a bot.")


class PlayerRecord(SeatedPlayer):
    matches = serializers.IntegerField(help_text="Matches that are `finished`, however many of their turns were own.")
    played = serializers.IntegerField(help_text="Of these, those with at least two thirds own turns, not forfeited.")
    left = serializers.IntegerField(
        help_text="Those with fewer own turns, and the matches that the player cancelled as host while another played."
    )
    forfeited = serializers.IntegerField(help_text="Of the matches, those in which the seat was forfeited.")
    wins = serializers.IntegerField(help_text="Of those `played`, the ones won, alone or together with others.")
    average_points_a_round = serializers.FloatField(
        allow_null=True, help_text="Of all rounds that are over, but for those of matches left or forfeited."
    )


class ForfeitedField(serializers.BooleanField):
    def __init__(self, **kwargs: Any) -> None:
        super().__init__(help_text="Its time ran out under `on_timeout: forfeit`: it cannot win.", **kwargs)


class TableSeat(Answer):
    seat = serializers.IntegerField()
    player = SeatedPlayer(allow_null=True)
    away = serializers.BooleanField()
    forfeited = ForfeitedField()
    total = serializers.IntegerField()
    tile_count = serializers.IntegerField()


class Invite(Answer):
    code = serializers.CharField()
    url = serializers.URLField()


@described("A clock that is proposed for a running match.")
class ClockProposal(Answer):
    turn_seconds = serializers.IntegerField(allow_null=True, help_text="How long a turn may take; `null`: no clock.")
    on_timeout = serializers.ChoiceField(OnTimeout.choices, help_text="What happens when the time is over.")
    agreed = serializers.ListField(child=serializers.IntegerField(), help_text="The seats that have agreed.")
    waiting_for = serializers.ListField(child=serializers.IntegerField(), help_text="The seats that have not yet.")


@described("A table. ``invite`` is there for members only.")
class TableAnswer(Answer):
    id = serializers.UUIDField()
    name = serializers.CharField(allow_blank=True)
    status = serializers.ChoiceField(Status.choices)
    host = serializers.UUIDField(allow_null=True)
    preset = serializers.CharField()
    options = serializers.DictField()
    engine_version = serializers.IntegerField()
    seats = TableSeat(many=True)
    visibility = serializers.ChoiceField(Visibility.choices)
    spectators = serializers.ChoiceField(Spectators.choices)
    invite = Invite(required=False)
    turn_seconds = serializers.IntegerField(allow_null=True)
    on_timeout = serializers.ChoiceField(OnTimeout.choices)
    clock_proposal = ClockProposal(allow_null=True, help_text="Another clock for the match; `null`: none is proposed.")
    on_leave = LevelField()
    bot_delay_ms = serializers.IntegerField()
    auto_pass = serializers.BooleanField()
    stall_minutes = serializers.IntegerField(
        allow_null=True, help_text="Minutes after which an absent player, or an absent host, holds nobody up."
    )
    hints = serializers.BooleanField()
    rounds_played = serializers.IntegerField()
    winners = serializers.ListField(child=serializers.IntegerField(), allow_null=True)
    ended_reason = serializers.ChoiceField(
        EndedReason.choices,
        allow_null=True,
        help_text=ENDED_REASON,
    )
    next_table = serializers.UUIDField(allow_null=True)
    version = serializers.IntegerField()
    created_at = serializers.DateTimeField()


class MyTableAnswer(TableAnswer):
    your_turn = serializers.BooleanField()


class Page(Answer):
    next = serializers.URLField(allow_null=True)
    previous = serializers.URLField(allow_null=True)


class TablePage(Page):
    results = TableAnswer(many=True)


class MyTablePage(Page):
    results = MyTableAnswer(many=True)


class JoinedAnswer(Answer):
    table = TableAnswer()
    seat = serializers.IntegerField()


@described("What an invite is to.")
class InvitationAnswer(Answer):
    name = serializers.CharField(allow_blank=True)
    host = serializers.CharField(allow_null=True, help_text="The name of who invites.")
    status = serializers.ChoiceField(Status.choices)
    free_seats = serializers.IntegerField()
    table = TableAnswer(allow_null=True, help_text="`null` where the table is shown to nobody but those who sit there.")


class BotAnswer(Answer):
    level = LevelField()
    likes = serializers.CharField()
    typical_ms = serializers.FloatField(help_text="Milliseconds that a move takes.")


class RoundOnTable(Answer):
    number = serializers.IntegerField()
    of = serializers.IntegerField()
    engine = serializers.CharField()
    engine_from = serializers.IntegerField(allow_null=True, help_text="The seat that laid it; null: it was set aside.")
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
    name = serializers.CharField(allow_null=True, help_text="The player's name at this table; null: a free seat.")
    kind = serializers.ChoiceField(Kind.choices, allow_null=True, help_text="A person or a bot; null: a free seat.")
    level = LevelField(allow_null=True, help_text="The level of a bot's seat; null: not a bot's.")
    tile_count = serializers.IntegerField()
    total = serializers.IntegerField()
    away = serializers.BooleanField()
    forfeited = ForfeitedField()
    announced = serializers.BooleanField(help_text="The table knows that one tile is left.")
    tiles = serializers.ListField(
        child=serializers.CharField(), required=False, help_text="The hand, where the rules have hands_visible."
    )


@described("What may be sent to `moves`: `move`, and `keep_marker` where it is there.")
class LegalMove(Answer):
    move = serializers.CharField()
    keep_marker = serializers.BooleanField(required=False, help_text="Send it too: the marker stays on the own train.")
    type = serializers.ChoiceField(MOVE_TYPES)
    tile = serializers.CharField(required=False)
    train = serializers.CharField(required=False)
    place = serializers.CharField(
        required=False, help_text="Where the tile goes: the train. The same word in every game."
    )
    seat = serializers.IntegerField(required=False, help_text="Of a call: the seat that is called.")


@described("A legal move, and why in one sentence: the grounds that this level had.")
class HintAnswer(LegalMove):
    table = serializers.UUIDField()
    number = serializers.IntegerField()
    level = LevelField()
    why = serializers.CharField()


@described("A move, and why it is not legal: `option` is the rule of this table that decides, if one does.")
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
        child=serializers.BooleanField(), help_text="Of each seat, whether it was forfeited when the round ended."
    )


@described("The newest entry of the log. What it drew is shown to the seat that drew, and to all after the round.")
class LastMove(LegalMove):
    number = serializers.IntegerField(help_text="Its place in the table's log, from 1.")
    round = serializers.IntegerField(help_text="The round in which it was made.")
    seat = serializers.IntegerField(help_text="The seat whose move it is.")
    keep_marker = serializers.BooleanField(required=False, help_text="The marker stayed on the own train.")
    tile = serializers.CharField(required=False, help_text="The tile laid, or the tile drawn.")
    tiles = serializers.ListField(
        child=serializers.CharField(), required=False, help_text="The tiles that the called seat drew."
    )
    by = serializers.ChoiceField(By.choices, help_text="Who made the move.")
    said = serializers.CharField(required=False, help_text="What the move did, as a sentence; with `said=true`.")


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
    tile = serializers.CharField(required=False, help_text="The tile drawn, for its drawer.")
    position = PositionAnswer()


class LogEntry(LegalMove):
    """A move as everybody may see it."""

    number = serializers.IntegerField(help_text="Its place in the table's log, from 1.")
    round = serializers.IntegerField()
    seat = serializers.IntegerField(help_text="Whose move it is.")
    keep_marker = serializers.BooleanField(required=False, help_text="The marker stayed on the own train.")
    tile = serializers.CharField(required=False, help_text="The tile laid. What is drawn is hidden.")
    train = serializers.CharField(required=False, help_text="Where it was laid.")
    by = serializers.ChoiceField(By.choices)
    at = serializers.DateTimeField()


@described("An entry of the log; drawn tiles are told to their drawer, and to all once the round is over.")
class LoggedMove(LogEntry):
    tile = serializers.CharField(
        required=False, help_text="The tile laid; of a draw the tile drawn, for its drawer and after the round."
    )
    tiles = serializers.ListField(
        child=serializers.CharField(), required=False, help_text="Of a call, for the seat called and after the round."
    )
    said = serializers.CharField(required=False, help_text="What the move did, as a sentence; with `said=true`.")


class EngineDraw(Answer):
    seat = serializers.IntegerField()
    tile = serializers.CharField()


@described("`hands` are as dealt: before any drawing for the engine, and with the engine where a hand held it.")
class DealAnswer(Answer):
    table = serializers.UUIDField()
    round = serializers.IntegerField()
    dealt_here = serializers.BooleanField(help_text="Whether this server has dealt it; else its record was imported.")
    commitment = serializers.CharField(allow_null=True)
    secret = serializers.CharField(allow_null=True, help_text="null: the record of the round came without it.")
    client_seeds = serializers.ListField(child=serializers.CharField(allow_blank=True))
    set_max_pip = serializers.IntegerField()
    order = serializers.ListField(child=serializers.CharField())
    hands = serializers.ListField(child=serializers.ListField(child=serializers.CharField()))
    engine = serializers.CharField()
    engine_set_aside = serializers.BooleanField(help_text="Whether it left the order before the hands were dealt.")
    engine_from = serializers.IntegerField(allow_null=True, help_text="The seat that laid it; null: it was set aside.")
    engine_draws = EngineDraw(many=True, help_text="The tiles drawn until it appeared, from the order after the hands.")
    first_seat = serializers.IntegerField(help_text="From which the round counts, and which draws first.")
    first_seat_drawn = serializers.BooleanField(help_text="Whether chance chose it for the first round.")
    starter = serializers.IntegerField(help_text="The seat that had the first turn.")
    engine_selection = serializers.CharField(help_text="The option of the table that says where its engine comes from.")
    round_starter = serializers.CharField(help_text="The option that says which seat has the first turn.")
    first_round_starter = serializers.CharField(help_text="The option that says from which seat round 1 counts.")
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
    level = serializers.CharField(required=False, help_text="Of a bot.")
    forfeited = serializers.BooleanField(required=False, help_text="A seat that was forfeited cannot win.")


class RecordMove(Answer):
    number = serializers.IntegerField(required=False, help_text="Its place in the table's log, from 1.")
    seat = serializers.IntegerField()
    move = serializers.CharField()
    keep_marker = serializers.BooleanField(required=False)
    by = serializers.ChoiceField(By.choices, required=False)


@described("A round. Either `order` is there, or `hands` and `boneyard`; what follows from them may be left out.")
class RecordRound(Answer):
    number = serializers.IntegerField(required=False)
    engine = serializers.CharField(required=False, allow_null=True)
    first_seat = serializers.IntegerField(required=False, allow_null=True)
    starter = serializers.IntegerField(required=False, allow_null=True)
    order = serializers.ListField(child=serializers.CharField(), required=False, help_text="The whole set, shuffled.")
    hands = serializers.ListField(
        child=serializers.ListField(child=serializers.CharField()), required=False, help_text="As dealt, seat by seat."
    )
    boneyard = serializers.ListField(child=serializers.CharField(), required=False, help_text="First drawn first.")
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
    table = serializers.UUIDField(required=False, allow_null=True, help_text="With its id the deals were made.")
    preset = serializers.CharField(required=False)
    options = serializers.DictField(required=False)
    engine_version = serializers.IntegerField(required=False)
    seats = RecordSeat(many=True)
    rounds = RecordRound(many=True)
    finished = serializers.BooleanField(required=False)
    winners = serializers.ListField(child=serializers.IntegerField(), required=False, allow_null=True)


@described("What is known of a place, `null` for the rest.")
class RecordPlace(Answer):
    round = serializers.IntegerField(allow_null=True)
    number = serializers.IntegerField(allow_null=True, help_text="The move's place in the log.")
    line = serializers.IntegerField(allow_null=True, help_text="Of a text, from 1.")
    column = serializers.IntegerField(allow_null=True, help_text="Of a text, from 1.")
    field = serializers.CharField(allow_null=True, help_text="Of JSON: the names on the way to it.")


class RecordFault(Answer):
    code = serializers.ChoiceField(FAULT_CODES)
    detail = serializers.CharField()
    where = RecordPlace()
    reason = serializers.ChoiceField(REASONS, allow_null=True, help_text="Of a move.")
    option = serializers.CharField(allow_null=True, help_text="The rule that decides whether the move is legal.")


@described("What a record comes to, or the first fault in it.")
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
        help_text="Whether each round's order comes from the secret that was committed to.",
    )
