"""Another deal for a round that has just been dealt, engine and starter included, as the server would have dealt it."""

from collections.abc import Sequence
from typing import Any

from rules.mexican_train.dealing import choose_engine, deal, hands_dealt
from rules.mexican_train.options import Options
from rules.tiles import Tile, double_set, tiles_in
from tables import snapshots
from tables.models import Round
from tests.matches import put_order, snapshot, state


def order_of(highest: int, tiles: str) -> list[Tile]:
    """The whole set with these tiles in front."""
    named = snapshots.tiles_from(tiles)
    return [*named, *(tile for tile in double_set(highest) if tile not in named)]


def engine_from(options: Options, seats: int, played: Round, order: Sequence[Tile]) -> int:
    """The engine that a round of this table finds in an order."""
    earlier = Round.objects.filter(table=played.table_id, number__lt=played.number)
    used = [facts["engine"] for facts in earlier.values_list("facts", flat=True)]
    return choose_engine(options, seats, played.number - 1, used, played.facts["first_seat"], order)


def deal_again(table: dict[str, Any], tiles: str) -> None:
    """Deal the running round from an order that begins with these tiles."""
    now = snapshot(table)
    assert now.round is not None
    played, seats = Round.objects.get(pk=now.round.id), len(now.seats)
    order = order_of(now.options.highest_pip, tiles)
    engine = engine_from(now.options, seats, played, order)
    dealt = deal(now.options, seats, engine, now.round.facts["first_seat"], order)
    hands = hands_dealt(now.options, seats, engine, order).hands
    Round.objects.filter(pk=played.pk).update(facts=played.facts | {"engine": engine, "starter": dealt.turn})
    put_order(played.pk, order, [list(tiles_in(hand)) for hand in hands])
    played.table.turn = dealt.turn
    played.table.tile_counts = [hand.bit_count() for hand in dealt.hands]
    played.table.save(update_fields=["turn", "tile_counts"])
    assert state(table) == dealt
