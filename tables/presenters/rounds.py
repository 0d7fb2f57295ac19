"""Presents rounds that are over: their results, and how they were dealt."""

from collections.abc import Iterable
from typing import Annotated, Any, TypedDict, cast

from django.utils.translation import gettext

from rest.answers import Id
from rest.texts import described
from rules.game import Ended
from tables import refusals, repository
from tables.models import Hand, Round, Seat, Table
from tables.presenters.games import presenter_of
from tables.snapshots import SeatFacts


@described("The result of a round. Lists have one value a seat.")
class RoundResult(TypedDict):
    number: Annotated[int, "The number of the round, from 1."]
    engine: Annotated[str, "The double that the round began with."]
    starter: Annotated[int, "The seat that had the first turn."]
    ended: Annotated[str, Ended, "How the round ended: a seat was `out` of tiles, or the round was `blocked`."]
    out: Annotated[int | None, "The seat that was out of tiles; `null` if the round was blocked."]
    points: Annotated[list[int], "The points of each seat in this round."]
    totals: Annotated[list[int], "The points of each seat in all rounds so far."]
    hands: Annotated[list[list[str]], "The tiles that each seat had left."]
    forfeited: Annotated[list[bool], "For each seat, whether it was forfeited when the round ended."]


@described("A tile that a seat drew while it looked for the engine.")
class EngineDraw(TypedDict):
    seat: Annotated[int, "The seat that drew."]
    tile: Annotated[str, "The tile."]


@described(
    "The deal of a round. `hands` are the hands as dealt: before any draw for the engine, and with the engine if a "
    "hand held it."
)
class DealAnswer(TypedDict):
    table: Annotated[Id, "The table's id."]
    round: Annotated[int, "The number of the round, from 1."]
    dealt_here: Annotated[bool, "Whether this server dealt the round. If not, the round was imported from a record."]
    commitment: Annotated[
        str | None, "The SHA-256 of the secret, published before the deal; `null` if the imported record has none."
    ]
    secret: Annotated[str | None, "The secret of the shuffle, in hexadecimal; `null` if the imported record has none."]
    client_seeds: Annotated[list[str], "The seats' own contributions to the shuffle, in their order; empty for none."]
    set_max_pip: Annotated[int, "The highest pip of the set of tiles."]
    order: Annotated[list[str], "The whole set, shuffled."]
    hands: Annotated[list[list[str]], "The tiles dealt to each seat."]
    engine: Annotated[str, "The double that the round began with."]
    engine_set_aside: Annotated[bool, "Whether the engine was taken out of the order before the deal."]
    engine_from: Annotated[int | None, "The seat that laid the engine; `null` if it was set aside."]
    engine_draws: Annotated[
        list[EngineDraw], "The tiles drawn until the engine appeared, from the order after the hands."
    ]
    first_seat: Annotated[int, "The first seat of the round, which also draws first."]
    first_seat_drawn: Annotated[bool, "Whether the first seat of the first round was chosen by lot."]
    starter: Annotated[int, "The seat that had the first turn."]
    engine_selection: Annotated[str, "The option that decides where the engine comes from."]
    round_starter: Annotated[str, "The option that decides which seat has the first turn."]
    first_round_starter: Annotated[str, "The option that decides which seat is the first of round 1."]
    hand_size: Annotated[int, "Tiles dealt to each seat."]


def present_round_result(played: Round) -> RoundResult:
    """Return the result of a round that is over. Seats are loaded only for a result written by the first release."""
    result = dict(played.result or {})
    return present_result(result, () if "forfeited" in result else Seat.objects.filter(table=played.table_id))


def present_result(result: dict[str, Any], seats: Iterable[Seat | SeatFacts]) -> RoundResult:
    """Present a result. The first release stored no forfeits; its results get the forfeits of today."""
    if "forfeited" not in result:
        result = result | {"forfeited": [seat.is_forfeited for seat in sorted(seats, key=lambda seat: seat.number)]}
    return cast("RoundResult", result)


def present_results(table: Table) -> list[RoundResult]:
    """Present the results of the rounds that are over, in order. The table's seats must be loaded."""
    over = table.rounds.filter(ended_at__isnull=False).order_by("number")
    return [present_result(result or {}, table.seats.all()) for result in over.values_list("result", flat=True)]


def finished_round(table: Table, number: int) -> Round:
    """Return a round that is over. Raises ``NotFound`` or ``RoundNotOver``."""
    played = table.rounds.filter(number=number, dealt_at__isnull=False).first()
    if played is None:
        raise refusals.NotFound(gettext("This table has not played a round with this number."))
    if played.ended_at is None:
        raise refusals.RoundNotOver
    return played


def present_deal(table: Table, number: int) -> DealAnswer:
    """Present everything that a finished round was dealt from, so that anybody can check it (``docs/fair-deals.md``).

    A round of an imported record may have no secret. Then it cannot be checked.
    """
    played = finished_round(table, number)
    rules, options = repository.rules_of(table), repository.options_of(table)
    hands = Hand.objects.filter(round=played).order_by("seat__number")
    answer = {
        "table": str(table.id),
        "round": played.number,
        "dealt_here": table.imported_at is None,
        "commitment": played.commitment or None,
        "secret": bytes(played.secret).hex() or None,
        "client_seeds": played.client_seeds,
        "set_max_pip": options.highest_pip,
        "order": played.order.split(),
        "hands": [hand.tiles.split() for hand in hands],
        **presenter_of(table.game).present_deal(rules, options, len(hands), played),
        "hand_size": rules.hand_size(options, len(hands)),
    }
    return cast("DealAnswer", answer)
