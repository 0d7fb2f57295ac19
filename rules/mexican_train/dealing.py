"""From an order of tiles to the first state of a round, and the choice of its engine (``rules.md`` §6)."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from rules.mexican_train.options import Options, hand_size
from rules.mexican_train.state import Setup, State
from rules.tiles import Tile, TileSet, double, highest_in, set_of


@dataclass(frozen=True, slots=True)
class Dealt:
    """The hands, dealt seat by seat from the front of the order, and the tiles that are left."""

    hands: tuple[TileSet, ...]
    boneyard: tuple[Tile, ...]


@dataclass(frozen=True, slots=True)
class EngineFound:
    """How a round got its engine.

    ``holder`` is the seat that laid it, ``None`` if it was set aside. ``draws`` are the tiles drawn for it, each with
    its seat.
    """

    engine: Tile
    holder: int | None
    draws: tuple[tuple[int, Tile], ...] = ()


def deal(options: Options, seats: int, engine: int, first: int, order: Sequence[Tile]) -> State:
    """The first state of a round: hands dealt, the engine found and laid, the rest as boneyard.

    ``order`` is the whole set, shuffled. ``first`` is the first seat of the round. It draws first for the engine, and
    it begins unless the options give the first turn to another seat. Raises ``BadOption`` if so many seats cannot be
    dealt.
    """
    dealt = hands_dealt(options, seats, engine, order)
    found = find_engine(options, dealt, first, (double(engine).bit,))
    hands = list(dealt.hands)
    for seat, tile in found.draws:
        hands[seat] |= tile.bit
    if found.holder is not None:
        hands[found.holder] ^= found.engine.bit
    return State(
        setup=Setup(options, seats, engine),
        tiles=[()] * (seats + 1),
        ends=[engine] * (seats + 1),
        marked=0,
        hands=hands,
        boneyard=dealt.boneyard[len(found.draws) :],
        on_table=found.engine.bit,
        open_doubles=(),
        turn=options.starter_of(first, found.holder, seats),
        had_first_turn=first_turn_had(options, found),
    )


def first_turn_had(options: Options, found: EngineFound) -> int:
    """The seat whose first turn was used up by laying the engine, as a bit; 0 if there is none."""
    return 1 << found.holder if found.holder is not None and options.laying_engine_was_first_turn else 0


def hands_dealt(options: Options, seats: int, engine: int, order: Sequence[Tile]) -> Dealt:
    """Each seat's tiles from the front of the order. An engine that is set aside is taken out first."""
    size = hand_size(options, seats)
    aside = double(engine) if options.sets_engine_aside else None
    tiles = tuple([tile for tile in order if tile is not aside])
    dealt = seats * size
    return Dealt(tuple(set_of(tiles[at : at + size]) for at in range(0, dealt, size)), tiles[dealt:])


def choose_engine(
    options: Options, seats: int, round_index: int, used: Collection[int], first: int, order: Sequence[Tile]
) -> int:
    """The pip of a round's engine. ``used`` are the pips of earlier engines. ``round_index`` counts from 0."""
    wanted = options.engine_wanted(round_index)
    if options.sets_engine_aside:
        return wanted
    unused = set_of(double(pip) for pip in range(options.highest_pip + 1) if pip not in used)
    dealt = hands_dealt(options, seats, wanted, order)
    return find_engine(options, dealt, first, options.engines_in_question(wanted, unused)).engine.high


def engine_found(options: Options, seats: int, engine: int, first: int, order: Sequence[Tile]) -> EngineFound:
    """How this order gave the round its engine: the seat that laid it, and the tiles drawn for it."""
    return find_engine(options, hands_dealt(options, seats, engine, order), first, (double(engine).bit,))


def find_engine(options: Options, dealt: Dealt, first: int, wanted: Sequence[TileSet]) -> EngineFound:
    """Look in the hands for a double of the first set, then of the next.

    If there is none, draw for a double of the last set. There is always one to find: each round uses one double, and a
    match has no more rounds than doubles.
    """
    if options.sets_engine_aside:
        return EngineFound(highest_in(wanted[-1]), None)
    if options.starter_lays_engine:
        return found_by_starter(dealt, first, wanted[-1])
    for doubles in wanted:
        held = set_of(highest_in(hand & doubles) for hand in dealt.hands if hand & doubles)
        if held:
            engine = highest_in(held)
            return EngineFound(engine, next(seat for seat, hand in enumerate(dealt.hands) if hand & engine.bit))
    return found_by_drawing(options, dealt, first, wanted[-1])


def found_by_drawing(options: Options, dealt: Dealt, first: int, wanted: TileSet) -> EngineFound:
    """Seats draw in turn from ``first`` until a wanted double appears. Where all seats draw, they finish the lap."""
    seats = len(dealt.hands)
    place = next(at for at, tile in enumerate(dealt.boneyard) if tile.bit & wanted)
    last = place // seats * seats + seats - 1 if options.all_draw_for_engine else place
    draws = tuple(((first + at) % seats, tile) for at, tile in enumerate(dealt.boneyard[: last + 1]))
    seat, engine = draws[place]
    return EngineFound(engine, seat, draws)


def found_by_starter(dealt: Dealt, first: int, wanted: TileSet) -> EngineFound:
    """The starter lays its highest wanted double, or one that it draws. Otherwise the next seat becomes the starter."""
    seats = len(dealt.hands)
    hands, draws = list(dealt.hands), list[tuple[int, Tile]]()
    seat = first
    while True:
        if not hands[seat] & wanted and len(draws) < len(dealt.boneyard):
            draws.append((seat, dealt.boneyard[len(draws)]))
            hands[seat] |= draws[-1][1].bit
        if hands[seat] & wanted:
            return EngineFound(highest_in(hands[seat] & wanted), seat, tuple(draws))
        seat = (seat + 1) % seats
