"""Presents a player's results in matches that are over."""

import json
from typing import Annotated, TypedDict, cast

from django.db.models import Avg, Count, F, Q

from players.models import Kind, Player
from rest.texts import described
from runtime import redis_commands
from tables.models import Hand, Seat, StandIn, Status
from tables.presenters.tables import SeatedPlayer, present_player

BOTS_RECORD_KEPT = 600
"""Seconds for which a bot's results are cached. A bot sits at more tables than anybody, so counting takes long."""


class Results(TypedDict):
    matches: Annotated[int, "All `finished` matches, no matter how many turns the player took."]
    played: Annotated[
        int, "The finished matches in which the player took at least two thirds of their turns and did not forfeit."
    ]
    left: Annotated[
        int,
        (
            "The finished matches in which the player took fewer turns, and the matches that they cancelled as host "
            "while another player played."
        ),
    ]
    forfeited: Annotated[int, "The matches in which the player's seat was forfeited."]
    wins: Annotated[int, "The `played` matches that the player won, alone or together with others."]
    average_points_a_round: Annotated[
        float | None,
        (
            "The average over all finished rounds, except those of matches that the player left or forfeited; `null` "
            "if there are none."
        ),
    ]


@described("A player, with their results in finished matches.")
class PlayerRecord(SeatedPlayer, Results):
    pass


def present_record(player: Player) -> PlayerRecord:
    """Present a player as everybody may see them, with their results in matches that are over."""
    results = kept_results_of(player) if player.kind == Kind.BOT else results_of(player)
    return {**present_player(player), **results}


def kept_results_of(bot: Player) -> Results:
    """Return a bot's results from the cache. Without Redis, they are counted every time."""
    key = f"mexican-train:record-2:{bot.id}"  # the number changes with the fields
    if kept := redis_commands.ask(lambda cache: cache.get(key), "bots' records are counted anew"):
        return cast("Results", json.loads(kept))
    counted = results_of(bot)
    redis_commands.ask(
        lambda cache: cache.set(key, json.dumps(counted), ex=BOTS_RECORD_KEPT), "bots' records are not kept"
    )
    return counted


def results_of(player: Player) -> Results:
    """Count a player's results. A win counts only in a match that the player played themselves."""
    is_over, is_forfeited = Q(table__status=Status.FINISHED), Q(stand_in_until=StandIn.END)
    has_played = is_over & Q(has_left=False) & ~is_forfeited
    counted = Seat.objects.filter(player=player).aggregate(
        matches=Count("pk", filter=is_over),
        played=Count("pk", filter=has_played),
        left=Count("pk", filter=Q(has_left=True) & ~(is_over & is_forfeited)),
        forfeited=Count("pk", filter=is_over & is_forfeited),
        wins=Count("pk", filter=has_played & Q(table__winners__contains=[F("number")])),
    )
    hands = Hand.objects.filter(seat__player=player, seat__has_left=False, points__isnull=False)
    points = hands.exclude(seat__stand_in_until=StandIn.END).aggregate(average=Avg("points"))["average"]
    average = None if points is None else round(float(points), 1)
    return cast("Results", counted | {"average_points_a_round": average})
