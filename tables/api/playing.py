"""API calls of the playing path: the position and the moves. They run as few queries as possible."""

from dataclasses import replace
from typing import Annotated, Any, NotRequired
from uuid import UUID

from django.http import HttpResponseBase, HttpResponseNotModified
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext_noop as N_
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request
from rest_framework.response import Response

from rest.bodies import validated
from rest.headers import etag_of
from rest.idempotency import idempotent
from rest.languages import TranslatedResponse, language_headers
from rest.problems import NoToken, Problem, raises
from rest.rendering import FastJSONRenderer
from rest.texts import described, operation
from rest.throttles import CallerThrottle, HintThrottle
from rules.errors import UnreadableText
from rules.games import game_of
from rules.tiles import tile_text
from runtime.connections import release_connection
from tables import memory, play, refusals, repository, spoken
from tables.api import fields, waiting
from tables.api.records import JSON, TEXT, TextRenderer
from tables.api.views import VisibleTableApiView
from tables.play import Submitted
from tables.presenters.advice import ExplanationAnswer, HintAnswer, present_explanation, present_hint
from tables.presenters.games import presenter_of
from tables.presenters.history import LoggedMove, present_log
from tables.presenters.mexican_train.moves import MoveText
from tables.presenters.positions import PositionAnswer, present_position
from tables.snapshots import Snapshot
from tables.translating import translated

HINT_LEVEL = "hard"
"""The default level of a hint. It plays well and needs little time."""
TO_MOVE = (
    NoToken,
    refusals.NotSeated,
    refusals.NotStarted,
    refusals.MatchOver,
    refusals.NotYourTurn,
    refusals.TooLate,
    refusals.BackNextRound,
)
"""The refusals for callers who are not to move."""


class UnreadableMove(Problem):
    detail = N_("The server cannot read this move.")
    status, code = 400, "unreadable_move"


class PositionView(VisibleTableApiView):
    renderer_classes = (FastJSONRenderer, TextRenderer)

    @operation(
        "position",
        "Show everything that the caller may see of the table now",
        (
            "The answer is 304 if nothing has changed since the `ETag` in `If-None-Match`. With `wait`, the server "
            "holds a 304 until something changes, or for that many seconds."
        ),
        parameters=[
            OpenApiParameter(
                "If-None-Match", str, OpenApiParameter.HEADER, description="The `ETag` of the last answer."
            ),
            fields.PositionFilterSerializer,
            etag_of("Send this as `If-None-Match` next time.", 200, 304),
        ],
        responses={(200, JSON): PositionAnswer, (200, TEXT): OpenApiTypes.STR, 304: None},
    )
    def get(self, request: Request, table_id: UUID) -> HttpResponseBase:
        known = request.META.get("HTTP_IF_NONE_MATCH", "")
        wanted = validated(fields.PositionFilterSerializer, request.query_params) if has_query(request) else {}
        words = words_of(request, wanted.get("said", False))
        soon: dict[str, str] = {}
        if wanted.get("wait") and self.is_known(known, words) and not waiting.wait_for_change(self, wanted["wait"]):
            soon = waiting.COME_BACK
        if self.is_known(known, words):
            return HttpResponseNotModified(headers=cache_headers(self.caller, words) | soon)
        snapshot = memory.load(table_id, self.caller.version)
        assert snapshot is not None
        headers = cache_headers(replace(self.caller, version=snapshot.version), words)
        return Response(self.position_in_words(snapshot, words), headers=headers)

    def position_in_words(self, snapshot: Snapshot, words: str) -> PositionAnswer | str:
        position = position_of(snapshot, self.caller.player, words)
        return spoken.position_text(snapshot, self.caller.player, position) if words == AS_TEXT else position

    def is_known(self, tags: str, words: str) -> bool:
        """Whether the caller has the current position already."""
        return tags.strip() == "*" or opaque_tag(self.caller, words) in tags


AS_TEXT, WITH_SAID = "text", "said"
"""How much of an answer is in words: all of it, or one sentence a move. An empty string means no words."""


def position_of(snapshot: Snapshot, player: UUID | None, words: str) -> PositionAnswer:
    """Present the position to this caller, with a sentence for its last move if wanted."""
    position = present_position(snapshot, player, timezone.now())
    if words == WITH_SAID and position["last_move"] and (said := spoken.last_move_said(snapshot, player, position)):
        position["last_move"]["said"] = said
    return position


def has_query(request: Request) -> bool:
    """Whether there is a query to validate. Most requests have none, and DRF would make an empty ``QueryDict``."""
    return bool(request.META.get("QUERY_STRING"))


def words_of(request: Request, said: bool) -> str:  # noqa: FBT001
    if request.accepted_renderer.media_type == TEXT:
        return AS_TEXT
    return WITH_SAID if said else ""


def opaque_tag(caller: repository.Caller, words: str = "") -> str:
    """Return a tag that differs for every viewer and version; for an answer with words, also for every language."""
    variant = f"-{words}-{get_language()}" if words else ""
    return f'"{caller.version}-{caller.player.hex if caller.player else "spectator"}{variant}"'


def etag(caller: repository.Caller, words: str = "") -> str:
    return "W/" + opaque_tag(caller, words)


def cache_headers(caller: repository.Caller, words: str = "") -> dict[str, str]:
    headers = {"ETag": etag(caller, words), "Cache-Control": "private, no-cache", "Vary": "Accept, Authorization"}
    return headers | sentence_headers(words)


def sentence_headers(words: str) -> dict[str, str]:
    """Return the headers of an answer with words."""
    return language_headers() | {"Vary": "Accept, Accept-Language, Authorization"} if words else {}


@described("A move that the log has, and the position that follows it.")
class MoveAnswer(MoveText):
    number: Annotated[int, "Its place in the table's log, from 1."]
    tile: NotRequired[Annotated[str, "The tile drawn, for the seat that drew it."]]
    position: Annotated[PositionAnswer, "The position now, as the caller sees it."]


class MovesView(VisibleTableApiView):
    renderer_classes = (FastJSONRenderer, TextRenderer)

    def get_renderers(self) -> list[Any]:
        """The log can be read as text; the answer to a move cannot."""
        renderers = super().get_renderers()
        return renderers[:1] if self.request.method == "POST" else renderers

    @operation(
        "play",
        "Make a move, with its number in the log",
        "Sending the same move with the same number again is always safe.",
        request=fields.MoveInSerializer,
        parameters=[
            fields.SaidFilterSerializer,
            etag_of(
                (
                    "The `ETag` of `position`, as `GET position` sends it to this caller. Use it to wait for the next "
                    "change."
                ),
                200,
                201,
            ),
        ],
        responses={201: MoveAnswer, 200: MoveAnswer},
    )
    @raises(UnreadableMove, *TO_MOVE, refusals.Stale, refusals.Illegal)
    @idempotent
    def post(self, request: Request, table_id: UUID) -> Response:
        wanted = validated(fields.SaidFilterSerializer, request.query_params) if has_query(request) else {}
        given = validated(fields.MoveInSerializer, request.data)
        words = WITH_SAID if wanted.get("said") else ""
        if self.caller.player is None:
            raise NoToken
        number = given.pop("number")
        move = self.read_move(**given)
        try:
            submitted = play.submit_move(
                table_id, self.caller.player, move, number, self.received_at, self.caller.version
            )
        except refusals.MoveRefused as refusal:
            explain(refusal, self.caller.player)
            raise
        answer, at = self.move_answer(submitted, words), replace(self.caller, version=submitted.snapshot.version)
        return Response(
            answer, 201 if submitted.is_new else 200, headers={"ETag": etag(at, words)} | sentence_headers(words)
        )

    def read_move(self, move: str, **fields: Any) -> Any:
        """Return the move that the body names. Raises ``UnreadableMove``, or a ``ValidationError`` with the field."""
        game, version = self.caller.game, self.caller.engine_version
        assert game is not None
        assert version is not None
        try:
            return presenter_of(game).read_move(game_of(game, version), move, fields)
        except UnreadableText as unreadable:
            raise UnreadableMove(translated(unreadable.detail)) from unreadable

    def move_answer(self, submitted: Submitted, words: str) -> MoveAnswer:
        snapshot = submitted.snapshot
        answer: MoveAnswer = {
            "number": submitted.number,
            **presenter_of(snapshot.game).present_text(submitted.move),
            "position": position_of(snapshot, self.caller.player, words),
        }
        if submitted.drawn:
            answer["tile"] = tile_text(submitted.drawn[0])
        return answer

    @operation(
        "moves",
        "List the entries of the log after number `after`",
        "Tiles drawn by other seats are included once the round is over.",
        parameters=[fields.MovesFilterSerializer],
        responses={(200, JSON): list[LoggedMove], (200, TEXT): OpenApiTypes.STR},
    )
    def get(self, request: Request, table_id: UUID) -> Response:
        wanted = validated(fields.MovesFilterSerializer, request.query_params)
        words = words_of(request, wanted["said"])
        entries = present_log(table_id, self.caller.player, wanted["after"], wanted["limit"])
        headers = {"Cache-Control": "private, no-cache", "Vary": "Accept, Authorization"} | sentence_headers(words)
        if not words:
            return Response(entries, headers=headers)
        said = spoken.moves_said(table_id, self.caller.player, entries)
        if words == AS_TEXT:
            return Response(spoken.moves_text(entries, said), headers=headers)
        told_too = [entry | {"said": sentence} for entry, sentence in zip(entries, said, strict=True)]
        return Response(told_too, headers=headers)


class MoverApiView(VisibleTableApiView):
    """A call that only the seat to move may make."""

    def mover_snapshot(self, table_id: UUID) -> Snapshot:
        """Return the table if the caller is to move there. Otherwise raise the refusal that a move would get."""
        if self.caller.player is None:
            raise NoToken
        snapshot = memory.load(table_id, self.caller.version)
        assert snapshot is not None
        try:
            play.check_is_to_move(snapshot, self.caller.player)
        except refusals.MoveRefused as refusal:
            explain(refusal, self.caller.player)
            raise
        release_connection()
        return snapshot


class ExplainView(MoverApiView):
    @operation(
        "explain",
        "Explain every tile on every train for the seat to move",
        "Each move is legal, or has the reason why it is not and the option that decides.",
        responses=ExplanationAnswer,
    )
    @raises(*TO_MOVE)
    def get(self, request: Request, table_id: UUID) -> Response:
        return TranslatedResponse(present_explanation(self.mover_snapshot(table_id)))


class HintView(MoverApiView):
    throttle_classes = (CallerThrottle, HintThrottle)

    @operation(
        "hint",
        "Show the move that a bot would make for the seat to move, and why",
        "The answer is 403 if the host has turned hints off.",
        parameters=[fields.HintFilterSerializer],
        responses=HintAnswer,
    )
    @raises(*TO_MOVE, refusals.HintsOff)
    def get(self, request: Request, table_id: UUID) -> Response:
        asked = validated(fields.HintFilterSerializer, request.query_params)
        snapshot = self.mover_snapshot(table_id)
        if not snapshot.hints:
            raise refusals.HintsOff
        return TranslatedResponse(present_hint(snapshot, asked.get("level", HINT_LEVEL)))


def explain(refusal: refusals.MoveRefused, player: UUID) -> None:
    """Add to the document of a refused move the reason and the legal moves, or the current position."""
    position = present_position(refusal.snapshot, player, timezone.now())
    if isinstance(refusal, refusals.Illegal):
        assert position["you"] is not None
        refusal.members = {"reason": refusal.reason, "legal_moves": position["you"]["legal_moves"]}
    else:
        refusal.members = {"position": position}
