"""The content of a picture: a position as it is presented to a caller, with the players' names."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

MEXICAN = "mexican"


@dataclass(frozen=True, slots=True)
class Train:
    """A train, or the place for one. ``end`` is the number that the next tile has to match."""

    name: str
    tiles: tuple[str, ...] = ()
    end: int | None = None
    is_marked: bool = False
    has_open_double: bool = False


@dataclass(frozen=True, slots=True)
class Seat:
    """A seat. ``name`` is ``None`` if it is free. ``hand`` has the tiles that everybody may see, in most games none."""

    number: int
    name: str | None
    tile_count: int
    total: int | None = None
    hand: tuple[str, ...] = ()
    is_away: bool = False
    is_forfeited: bool = False
    has_announced: bool = False
    has_won: bool = False


@dataclass(frozen=True, slots=True)
class Scene:
    """What a picture shows. ``hand`` is the viewer's own, if any.

    ``choices`` are the types of the viewer's legal moves.
    """

    status: str
    round: int | None
    round_count: int | None
    engine: int | None
    turn: int | None
    boneyard: int
    seats: tuple[Seat, ...]
    trains: tuple[Train, ...]
    hand: tuple[str, ...] | None = None
    playable: frozenset[str] = frozenset()
    choices: frozenset[str] = frozenset()
    ended_reason: str | None = None

    def seat_of(self, train: Train) -> Seat | None:
        return None if train.name == MEXICAN else self.seats[int(train.name)]

    def is_away(self, train: Train) -> bool:
        seat = self.seat_of(train)
        return seat is not None and seat.is_away


def present_scene(position: Mapping[str, Any], names: Mapping[int, str | None]) -> Scene:
    you, played = position["you"], position["round"]
    moves = you["legal_moves"] if you else []
    return Scene(
        status=position["status"],
        round=played and played["number"],
        round_count=played and played["of"],
        engine=played and int(played["engine"].partition("-")[0]),
        turn=position["turn"] and position["turn"]["seat"],
        boneyard=position["boneyard"],
        seats=tuple(seat_in(each, position, names.get(each["seat"])) for each in position["seats"]),
        trains=trains_in(position) or tuple(Train(str(seat["seat"])) for seat in position["seats"]),
        hand=in_order(you["tiles"]) if you and played else None,
        playable=frozenset(move["tile"] for move in moves if "tile" in move),
        choices=frozenset(move["type"] for move in moves),
        ended_reason=position["ended_reason"],
    )


def seat_in(seat: Mapping[str, Any], position: Mapping[str, Any], name: str | None) -> Seat:
    """Return a seat. The viewer's own hand is left out, because it is drawn larger elsewhere."""
    number, you = seat["seat"], position["you"]
    is_own = you is not None and you["seat"] == number
    return Seat(
        number=number,
        name=name,
        tile_count=seat["tile_count"],
        total=seat["total"],
        hand=() if is_own else in_order(seat.get("tiles", ())),
        is_away=seat["away"],
        is_forfeited=seat["forfeited"],
        has_announced=seat["announced"],
        has_won=number in (position["winners"] or ()),
    )


def past_scene(position: Mapping[str, Any], names: Mapping[int, str | None]) -> Scene:
    trains, hands = trains_in(position), position["hands"]
    return Scene(
        status="past",
        round=position["round"],
        round_count=None,
        engine=engine_of(trains),
        turn=position["turn"] and position["turn"]["seat"],
        boneyard=len(position["boneyard"]),
        seats=tuple(
            Seat(number, names.get(number), len(hand), hand=in_order(hand)) for number, hand in enumerate(hands)
        ),
        trains=trains,
    )


def engine_of(trains: Sequence[Train]) -> int | None:
    """Return the number that every train begins with."""
    first = trains[0]
    return int(first.tiles[0].partition("-")[0]) if first.tiles else first.end


def trains_in(position: Mapping[str, Any]) -> tuple[Train, ...]:
    return tuple(
        Train(
            name=each["train"],
            tiles=tuple(each["tiles"]),
            end=each["end"],
            is_marked=each["marker"],
            has_open_double=each["train"] in position["open_doubles"],
        )
        for each in position["trains"]
    )


def in_order(tiles: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(tiles, key=ends_of))


def ends_of(tile: str) -> tuple[int, int]:
    first, second = map(int, tile.split("-"))
    return first, second


def is_double(tile: str) -> bool:
    first, second = ends_of(tile)
    return first == second
