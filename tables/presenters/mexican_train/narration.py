"""Describes in words what a move of Mexican Train does, and how a round begins."""

from collections.abc import Iterator, Mapping

from django.utils.translation import gettext_noop as N_

from players.models import Kind
from rules.mexican_train.moves import MEXICAN, Announce, Call, Draw, End, Move, Pass, Play
from rules.mexican_train.view import View
from rules.sentences import Counted, Sentence
from rules.tiles import double, tile_text, tile_texts
from tables.models import By
from tables.narration import Happened, People, either


def what_a_move_did(happened: Happened, people: People) -> Iterator[Sentence]:
    """Yield what was done, and what it changed on the table."""
    yield what_was_done(happened, people)
    if isinstance(happened.move, Call):
        yield penalty(happened, happened.move.seat, people)
    if happened.before and happened.after:
        yield from markers_moved(happened.before, happened.after, people)
        yield from doubles_changed(happened, happened.before, happened.after)


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


def round_begins(number: int, engine: str, starter: int, people: People) -> Sentence:
    first = people.name(starter)
    return Sentence(
        "Round {number} begins. Engine: {engine}. First turn: {name}.", number=number, engine=engine, name=first
    )
