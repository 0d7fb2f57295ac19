"""Presents rounds that are over: their results, and how they were dealt."""

from collections.abc import Iterable
from typing import Any

from django.utils.translation import gettext

from rules.mexican_train.notation import tile_text
from rules.mexican_train.options import hand_size
from tables import refusals, repository
from tables.models import Hand, Round, Seat, Table
from tables.snapshots import SeatFacts


def result_of(played: Round) -> dict[str, Any]:
    """Return the result of a round that is over. Seats are loaded only for a result written by the first release."""
    result = dict(played.result or {})
    return present_result(result, () if "forfeited" in result else Seat.objects.filter(table=played.table_id))


def present_result(result: dict[str, Any], seats: Iterable[Seat | SeatFacts]) -> dict[str, Any]:
    """Present a result. The first release stored no forfeits; its results get the forfeits of today."""
    if "forfeited" in result:
        return result
    return result | {"forfeited": [seat.is_forfeited for seat in sorted(seats, key=lambda seat: seat.number)]}


def present_results(shown: Table) -> list[dict[str, Any]]:
    """Present the results of the rounds that are over, in order. The table's seats must be loaded."""
    over = shown.rounds.filter(ended_at__isnull=False).order_by("number")
    return [present_result(result or {}, shown.seats.all()) for result in over.values_list("result", flat=True)]


def finished_round(shown: Table, number: int) -> Round:
    """Return a round that is over. Raises ``NotFound`` or ``RoundNotOver``."""
    played = shown.rounds.filter(number=number, dealt_at__isnull=False).first()
    if played is None:
        raise refusals.NotFound(gettext("This table has not played a round with this number."))
    if played.ended_at is None:
        raise refusals.RoundNotOver
    return played


def present_deal(shown: Table, number: int) -> dict[str, Any]:
    """Present everything that a finished round was dealt from, so that anybody can check it (``docs/fair-deals.md``).

    A round of an imported record may have no secret. Then it cannot be checked.
    """
    played = finished_round(shown, number)
    options = repository.options_of(shown.options)
    hands = Hand.objects.filter(round=played).order_by("seat__number")
    found = repository.engine_found_in(shown, len(hands), played)
    return {
        "table": str(shown.id),
        "round": played.number,
        "dealt_here": shown.imported_at is None,
        "commitment": played.commitment or None,
        "secret": bytes(played.secret).hex() or None,
        "client_seeds": played.client_seeds,
        "set_max_pip": options.highest_pip,
        "order": played.order.split(),
        "hands": [hand.tiles.split() for hand in hands],
        "engine": tile_text(found.engine),
        "engine_set_aside": options.sets_engine_aside,
        "engine_from": found.holder,
        "engine_draws": [{"seat": seat, "tile": tile_text(tile)} for seat, tile in found.draws],
        "first_seat": played.first_seat,
        "first_seat_drawn": options.draws_first_seat,
        "starter": played.starter,
        **{
            option: options.as_dict()[option] for option in ("engine_selection", "round_starter", "first_round_starter")
        },
        "hand_size": hand_size(options, len(hands)),
    }
