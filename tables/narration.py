"""Describes what happens at a table in words, for people and for programs that speak.

Translations of the sentences need not inflect names. Sentences contain public facts and what their reader may see,
nothing else. What a move does is described by the presenters of its game.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from unicodedata import bidirectional

from rules.game import Ended
from rules.sentences import Counted, Sentence
from rules.tiles import Tile
from tables.models import By, EndedReason
from tables.translating import translated


@dataclass(frozen=True, slots=True)
class People:
    """Names and kinds by seat. ``reader`` is the seat that a sentence addresses as "you", if any."""

    names: Mapping[int, str | None]
    kinds: Mapping[int, str | None]
    reader: int | None = None

    def name(self, seat: int) -> str:
        name = self.names.get(seat) or translated(Sentence("seat {number}", number=seat + 1))
        return f"\u2068{name}\u2069" if any(bidirectional(each) in {"R", "AL"} for each in name) else name


@dataclass(frozen=True, slots=True)
class Happened:
    """A move, with the round before and after it as a spectator sees it.

    ``drawn`` are the drawn tiles, if the reader may see them. ``result`` is set if the move ended the round.
    ``winners`` and ``ended_reason`` are set if it ended the match.
    """

    seat: int
    move: Any
    text: str
    by: str
    before: Any = None
    after: Any = None
    drawn: Sequence[Tile] = ()
    result: Mapping[str, Any] | None = None
    winners: Sequence[int] | None = None
    ended_reason: str | None = None


def move_said(happened: Happened, people: People, what_it_did: Iterable[Sentence]) -> str:
    """Return what a move did, in the language of the request. ``what_it_did`` are the sentences of its game."""
    return " ".join(map(translated, sentences(happened, people, what_it_did)))


def sentences(happened: Happened, people: People, what_it_did: Iterable[Sentence]) -> Iterator[Sentence]:
    if happened.by == By.TIMEOUT:
        yield either(
            people,
            happened.seat,
            Sentence("Your time is up."),
            lambda name: Sentence("Time is up for {name}.", name=name),
        )
    yield from what_it_did
    if happened.result is not None:
        yield from end_of_round(happened.result, people)
    if happened.winners is not None:
        yield from end_of_match(happened.winners, happened.ended_reason, people)


def either(people: People, seat: int, to_reader: Sentence, of_other: Callable[[str], Sentence]) -> Sentence:
    """Return ``to_reader`` if the seat is the reader's, else ``of_other`` with the player's name."""
    return to_reader if seat == people.reader else of_other(people.name(seat))


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


def round_over_said(result: Mapping[str, Any], people: People) -> str:
    return " ".join(map(translated, end_of_round(result, people)))


def seat_said(seat: int, people: People, *, is_away: bool, is_forfeited: bool) -> str:
    """Return who sits in a seat now, or that it is free."""
    if people.names.get(seat) is None:
        return translated(Sentence("Seat {number} is free.", number=seat + 1))
    absence = list(absence_said(seat, people, is_away=is_away, is_forfeited=is_forfeited))
    name = people.name(seat)
    return " ".join(map(translated, absence or [Sentence("In seat {number}: {name}.", number=seat + 1, name=name)]))


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
    return " ".join(map(translated, said or [Sentence("The settings of the table have changed.")]))
