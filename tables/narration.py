"""Describes what happens at a table in words, for people and for programs that speak.

Translations of the sentences need not inflect names. Sentences contain public facts and what their reader may see,
nothing else.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from unicodedata import bidirectional

from django.utils.translation import gettext_noop as N_

from players.models import Kind
from rules.mexican_train.moves import MEXICAN, Announce, Call, Draw, End, Move, Pass, Play
from rules.mexican_train.notation import tile_text, tile_texts
from rules.mexican_train.state import Ended
from rules.mexican_train.view import View
from rules.sentences import Counted, Sentence
from rules.tiles import Tile, double
from tables.models import By, EndedReason
from tables.telling import told


@dataclass(frozen=True, slots=True)
class People:
    """Names and kinds by seat. ``reader`` is the seat that a sentence addresses as "you", if any."""

    names: Mapping[int, str | None]
    kinds: Mapping[int, str | None]
    reader: int | None = None

    def name(self, seat: int) -> str:
        name = self.names.get(seat) or told(Sentence("seat {number}", number=seat + 1))
        return f"\u2068{name}\u2069" if any(bidirectional(each) in {"R", "AL"} for each in name) else name


@dataclass(frozen=True, slots=True)
class Happened:
    """A move, with the round before and after it as a spectator sees it.

    ``drawn`` are the drawn tiles, if the reader may see them. ``result`` is set if the move ended the round.
    ``winners`` and ``ended_reason`` are set if it ended the match.
    """

    seat: int
    move: Move
    by: str
    before: View | None = None
    after: View | None = None
    drawn: Sequence[Tile] = ()
    result: Mapping[str, Any] | None = None
    winners: Sequence[int] | None = None
    ended_reason: str | None = None


def move_said(happened: Happened, people: People) -> str:
    """Return what a move did, in the language of the request."""
    return " ".join(map(told, sentences(happened, people)))


def sentences(happened: Happened, people: People) -> Iterator[Sentence]:
    if happened.by == By.TIMEOUT:
        yield either(
            people,
            happened.seat,
            Sentence("Your time is up."),
            lambda name: Sentence("Time is up for {name}.", name=name),
        )
    yield what_was_done(happened, people)
    if isinstance(happened.move, Call):
        yield penalty(happened, happened.move.seat, people)
    if happened.before and happened.after:
        yield from markers_moved(happened.before, happened.after, people)
        yield from doubles_changed(happened, happened.before, happened.after)
    if happened.result is not None:
        yield from end_of_round(happened.result, people)
    if happened.winners is not None:
        yield from end_of_match(happened.winners, happened.ended_reason, people)


def either(people: People, seat: int, to_reader: Sentence, of_other: Callable[[str], Sentence]) -> Sentence:
    """Return ``to_reader`` if the seat is the reader's, else ``of_other`` with the player's name."""
    return to_reader if seat == people.reader else of_other(people.name(seat))


def what_was_done(happened: Happened, people: People) -> Sentence:
    """Return the sentence of the move. A bot that plays for Ann is called "Ann's bot"."""
    seat, is_stand_in = happened.seat, happened.by == By.BOT and people.kinds.get(happened.seat) == Kind.PERSON
    if is_stand_in:
        mine = Sentence("Your bot")
        bot = either(people, seat, mine, lambda name: Sentence("{name}'s bot", name=name))
        return done_by(bot, happened, people, is_stand_in=True)
    return done_by_reader(happened, people) if seat == people.reader else done_by(people.name(seat), happened, people)


OTHERS_DO: Mapping[type[Move], str] = {
    Draw: N_("{name} draws a tile."),
    Pass: N_("{name} passes."),
    End: N_("{name} ends the first turn."),
    Announce: N_("{name} announces the last tile."),
}
READER_DOES: Mapping[type[Move], str] = {
    Draw: N_("You draw a tile."),
    Pass: N_("You pass."),
    End: N_("You end your first turn."),
    Announce: N_("You announce your last tile."),
}


def done_by(name: str, happened: Happened, people: People, *, is_stand_in: bool = False) -> Sentence:
    match happened.move:
        case Play():
            return laid_by(name, happened.move, happened.seat, people, is_stand_in=is_stand_in)
        case Call(seat=called) if called == people.reader:
            return Sentence("{name} calls you: you did not announce your last tile.", name=name)
        case Call(seat=called):
            other = people.name(called)
            return Sentence("{name} calls {other}, who did not announce the last tile.", name=name, other=other)
        case Draw() if happened.drawn:
            return Sentence("{name} draws {tile}.", name=name, tile=tile_text(happened.drawn[0]))
    return Sentence(OTHERS_DO[type(happened.move)], name=name)


def laid_by(name: str, play: Play, seat: int, people: People, *, is_stand_in: bool) -> Sentence:
    tile = tile_text(play.tile)
    if play.train == MEXICAN:
        return Sentence("{name} lays {tile} on the Mexican Train.", name=name, tile=tile)
    if play.train == people.reader:
        return Sentence("{name} lays {tile} on your train.", name=name, tile=tile)
    if play.train == seat and not is_stand_in:
        return Sentence("{name} lays {tile} on their own train.", name=name, tile=tile)
    owner = people.name(play.train)
    return Sentence("{name} lays {tile} on {owner}'s train.", name=name, tile=tile, owner=owner)


def done_by_reader(happened: Happened, people: People) -> Sentence:
    match happened.move:
        case Play(train=train, tile=tile):
            return laid_by_reader(tile_text(tile), train, people)
        case Call(seat=called):
            return Sentence("You call {other}, who did not announce the last tile.", other=people.name(called))
        case Draw() if happened.drawn:
            return Sentence("You draw {tile}.", tile=tile_text(happened.drawn[0]))
    return Sentence(READER_DOES[type(happened.move)])


def laid_by_reader(tile: str, train: int, people: People) -> Sentence:
    if train == MEXICAN:
        return Sentence("You lay {tile} on the Mexican Train.", tile=tile)
    if train == people.reader:
        return Sentence("You lay {tile} on your own train.", tile=tile)
    return Sentence("You lay {tile} on {owner}'s train.", tile=tile, owner=people.name(train))


def penalty(happened: Happened, called: int, people: People) -> Sentence:
    """Return which tiles the called seat draws, or only how many if the reader may not see them."""
    if happened.drawn:
        tiles = ", ".join(tile_texts(happened.drawn))
        to_reader = Sentence("You draw {tile}.", tile=tiles)
        return either(people, called, to_reader, lambda name: Sentence("{name} draws {tile}.", name=name, tile=tiles))
    count = happened.before.boneyard_count - happened.after.boneyard_count if happened.before and happened.after else 0
    return Counted("{name} draws {count} tile.", "{name} draws {count} tiles.", count, name=people.name(called))


def markers_moved(before: View, after: View, people: People) -> Iterator[Sentence]:
    for seat in range(after.setup.seats):
        was, is_now = before.trains[seat].is_marked, after.trains[seat].is_marked
        if is_now and not was:
            opened = Sentence("Your train is open now.")
            yield either(people, seat, opened, lambda name: Sentence("{name}'s train is open now.", name=name))
        elif was and not is_now:
            closed = Sentence("The marker comes off your train.")
            yield either(people, seat, closed, lambda name: Sentence("The marker comes off {name}'s train.", name=name))


def doubles_changed(happened: Happened, before: View, after: View) -> Iterator[Sentence]:
    """Yield the doubles that must be covered from now on, and those that no longer must be."""
    open_before = {each.train: double(before.trains[each.train].end) for each in before.open_doubles}
    open_now = {each.train: double(after.trains[each.train].end) for each in after.open_doubles}
    for train, tile in open_before.items():
        if open_now.get(train) == tile:
            continue
        if isinstance(happened.move, Play) and happened.move.train == train:
            yield Sentence("The double {tile} is covered.", tile=tile_text(tile))
        else:
            yield Sentence("The double {tile} need not be covered any more.", tile=tile_text(tile))
    for train, tile in open_now.items():
        if open_before.get(train) != tile:
            yield Sentence("The double {tile} must be covered.", tile=tile_text(tile))


def end_of_round(result: Mapping[str, Any], people: People) -> Iterator[Sentence]:
    if result["ended"] == Ended.OUT:
        yield either(
            people, result["out"], Sentence("You are out."), lambda name: Sentence("{name} is out.", name=name)
        )
    else:
        yield Sentence("Nobody can go on: the round is blocked.")
    points = ", ".join(f"{people.name(seat)} {points}" for seat, points in enumerate(result["points"]))
    yield Sentence("Round {number} is over. Points: {points}.", number=result["number"], points=points)


def end_of_match(winners: Sequence[int], reason: str | None, people: People) -> Iterator[Sentence]:
    """Yield who has won, and whether a forfeit decided the match."""
    yield winners_said(winners, people)
    if reason == EndedReason.FORFEITED:
        yield Sentence("A forfeit decided the match.")


def winners_said(winners: Sequence[int], people: People) -> Sentence:
    if not winners:
        return Sentence("Nobody wins the match.")
    if list(winners) == [people.reader]:
        return Sentence("You win the match.")
    names = ", ".join(map(people.name, winners))
    return Counted("{names} wins the match.", "{names} share the victory.", len(winners), names=names)


def dealt_said(number: int, engine: str, starter: int, people: People) -> str:
    first = people.name(starter)
    return told(
        Sentence(
            "Round {number} begins. Engine: {engine}. First turn: {name}.", number=number, engine=engine, name=first
        )
    )


def round_over_said(result: Mapping[str, Any], people: People) -> str:
    return " ".join(map(told, end_of_round(result, people)))


def seat_said(seat: int, people: People, *, is_away: bool, is_forfeited: bool) -> str:
    """Return who sits in a seat now, or that it is free."""
    if people.names.get(seat) is None:
        return told(Sentence("Seat {number} is free.", number=seat + 1))
    absence = list(absence_said(seat, people, is_away=is_away, is_forfeited=is_forfeited))
    name = people.name(seat)
    return " ".join(map(told, absence or [Sentence("In seat {number}: {name}.", number=seat + 1, name=name)]))


def absence_said(seat: int, people: People, *, is_away: bool, is_forfeited: bool) -> Iterator[Sentence]:
    """Yield that a seat was forfeited, or that a bot plays for its player."""
    is_you, name = seat == people.reader, people.name(seat)
    if is_forfeited and is_away:
        to_reader = Sentence("You have forfeited; a bot plays to the end.")
        yield to_reader if is_you else Sentence("{name} has forfeited; a bot plays to the end.", name=name)
    elif is_forfeited:
        yield Sentence("You have forfeited.") if is_you else Sentence("{name} has forfeited.", name=name)
    elif is_away:
        yield Sentence("A bot plays for you.") if is_you else Sentence("A bot plays for {name}.", name=name)


STATUSES = {
    "open": Sentence("The match has not started."),
    "playing": Sentence("The match is on."),
    "finished": Sentence("The match is over."),
    "cancelled": Sentence("The table was cancelled."),
}


ENDINGS = {
    EndedReason.CANCELLED_BY_HOST: Sentence("The host cancelled it."),
    EndedReason.CANCELLED_BY_ADMIN: Sentence("An administrator cancelled it."),
    EndedReason.HOST_LEFT: Sentence("The host has left."),
    EndedReason.EXPIRED: Sentence("Nothing had happened there for too long."),
    EndedReason.ABANDONED: Sentence("Nobody had moved for too long."),
}
"""Why a table was cancelled."""


def status_said(status: str, reason: str | None) -> Iterator[Sentence]:
    yield STATUSES[status]
    if reason in ENDINGS:
        yield ENDINGS[EndedReason(reason)]


def table_said(changed: Mapping[str, Any], people: People) -> str:
    """Return what an event ``table`` names as changed."""
    names, reason = changed["changed"], changed.get("ended_reason")
    said = list(status_said(changed["status"], reason)) if "status" in names else []
    if "winners" in names and changed["winners"] is not None:
        said += end_of_match(changed["winners"], reason, people)
    if "next_table" in names and changed.get("next_table"):
        said.append(Sentence("The next match has a table."))
    if "deadline" in names:
        said.append(Sentence("The turn has more time."))
    return " ".join(map(told, said or [Sentence("The settings of the table have changed.")]))
