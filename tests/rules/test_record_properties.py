"""Properties of every record: it can be written and read again, is correct as played, and is wrong when changed."""

import json
import random
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from rules.mexican_train.moves import DRAW, PASS, Move, Play
from rules.records.checking import check_record, first_fault
from rules.records.json_form import document_of, record_from
from rules.records.record import (
    BadRecord,
    Fault,
    FaultCode,
    Record,
    RecordedMove,
    RecordedRound,
)
from rules.records.text_form import record_in, text_of
from rules.tiles import double_set
from tests.cases import for_each, slow_after
from tests.finished_matches.files import NAMES, stored
from tests.rules.records import bare, random_record, record_of_match

pytestmark = pytest.mark.by_chance

BATCHES, RECORDS_A_BATCH = 8, 12


def records_of(batch: int) -> list[tuple[random.Random, Record]]:
    """The same in every run."""
    chances = [random.Random(f"records {batch} {number}") for number in range(RECORDS_A_BATCH)]
    return [(chance, random_record(chance)) for chance in chances]


@pytest.mark.parametrize("batch", slow_after(1, range(BATCHES)))
def test_a_written_record_can_be_read_and_is_correct(batch: int) -> None:
    for _, record in records_of(batch):
        assert record_in(text_of(record)) == record
        assert record_in(json.dumps(document_of(record))) == record
        assert record_from(document_of(record)) == record
        assert check_record(record).record == record


@pytest.mark.parametrize("batch", slow_after(1, range(BATCHES)))
def test_facts_that_are_left_out_are_derived(batch: int) -> None:
    for _, record in records_of(batch):
        said = bare(record)
        assert record_in(text_of(said)) == said
        whole = check_record(said).record
        assert (whole.winners, whole.headers) == (record.winners, record.headers)
        assert [(each.engine, each.starter, each.out, each.totals) for each in whole.rounds] == [
            (each.engine, each.starter, each.out, each.totals) for each in record.rounds
        ]


@for_each("name", NAMES[::10])
def test_some_recorded_matches_are_correct_and_fair(name: str) -> None:
    check_finished(name)


@pytest.mark.slow
@for_each("name", NAMES)
def test_the_recorded_matches_are_correct_and_fair(name: str) -> None:
    check_finished(name)


def check_finished(name: str) -> None:
    record = record_of_match(stored(name))
    assert record_in(text_of(record)) == record_in(json.dumps(document_of(record))) == record
    found = check_record(record)
    assert (found.record, found.fair) == (record, "verified")


# A change is found, where it was made


Change = Callable[[random.Random, RecordedRound], RecordedRound]


def swap_tiles(chance: random.Random, played: RecordedRound) -> RecordedRound:
    order = list(played.order)
    one, other = chance.sample(range(len(order)), 2)
    order[one], order[other] = order[other], order[one]
    return replace(played, order=tuple(order))


def repeat_a_tile(chance: random.Random, played: RecordedRound) -> RecordedRound:
    order = list(played.order)
    one, other = chance.sample(range(len(order)), 2)
    order[one] = order[other]
    return replace(played, order=tuple(order))


def another_engine(chance: random.Random, played: RecordedRound) -> RecordedRound:
    assert played.engine is not None
    return replace(played, engine=played.engine - 1 if played.engine else 1)


def another_starter(chance: random.Random, played: RecordedRound) -> RecordedRound:
    assert played.starter is not None
    return replace(played, starter=0 if played.starter else 1)


def another_secret(chance: random.Random, played: RecordedRound) -> RecordedRound:
    return replace(played, secret="5" * 64)


def another_seed(chance: random.Random, played: RecordedRound) -> RecordedRound:
    return replace(played, client_seeds=("other", *played.client_seeds[1:]))


def more_points(chance: random.Random, played: RecordedRound) -> RecordedRound:
    assert played.points
    return replace(played, points=(played.points[0] + 1, *played.points[1:]))


def other_totals(chance: random.Random, played: RecordedRound) -> RecordedRound:
    assert played.totals
    return replace(played, totals=(*played.totals[:-1], played.totals[-1] - 1))


def another_out(chance: random.Random, played: RecordedRound) -> RecordedRound:
    return replace(played, out=0 if played.out else 1)


def a_move_less(chance: random.Random, played: RecordedRound) -> RecordedRound:
    return replace(played, moves=played.moves[:-1])


def a_move_more(chance: random.Random, played: RecordedRound) -> RecordedRound:
    return replace(played, moves=(*played.moves, played.moves[-1]))


FACTS: list[tuple[Change, set[FaultCode]]] = [
    (repeat_a_tile, {FaultCode.WRONG_TILES}),
    (another_engine, {FaultCode.WRONG_ENGINE}),
    (another_starter, {FaultCode.WRONG_STARTER}),
    (more_points, {FaultCode.WRONG_POINTS}),
    (other_totals, {FaultCode.WRONG_TOTALS}),
    (another_out, {FaultCode.WRONG_ENDING}),
    (a_move_less, {FaultCode.ROUND_NOT_OVER}),
    (a_move_more, {FaultCode.ILLEGAL_MOVE, FaultCode.WRONG_SEAT}),
]
FAIR: list[tuple[Change, set[FaultCode]]] = [
    (swap_tiles, {FaultCode.WRONG_SHUFFLE}),
    (another_secret, {FaultCode.WRONG_COMMITMENT}),
    (another_seed, {FaultCode.WRONG_SHUFFLE}),
]


def changed(record: Record, at: int, change: Callable[[RecordedRound], RecordedRound]) -> Record:
    rounds = list(record.rounds)
    rounds[at] = change(rounds[at])
    return replace(record, rounds=tuple(rounds))


def fault_in(record: Record) -> Fault:
    """Read from its text, so that the fault has a line."""
    fault = first_fault(record_in(text_of(record)))
    assert fault is not None
    return fault


@pytest.mark.parametrize("batch", slow_after(1, range(2)))
@pytest.mark.parametrize(("change", "codes"), FACTS + FAIR, ids=lambda each: getattr(each, "__name__", ""))
def test_a_changed_fact_is_found_in_its_round(batch: int, change: Change, codes: set[FaultCode]) -> None:
    for chance, record in records_of(batch):
        is_for_fair = (change, codes) in FAIR
        if not record.rounds or (is_for_fair and record.table is None):
            continue
        at = chance.randrange(len(record.rounds))
        fault = fault_in(changed(record, at, lambda played: change(chance, played)))  # noqa: B023
        assert (fault.code, fault.place.round) in {(code, at + 1) for code in codes}, fault
        assert fault.place.line is not None


@pytest.mark.parametrize("batch", range(5))
def test_a_changed_move_is_found_there_or_leads_elsewhere(batch: int) -> None:
    """Another legal move may be as good; then the round goes on otherwise, and something later does not follow."""
    faults = list[Fault]()
    for chance, record in records_of(batch):
        if not record.rounds:
            continue
        at = chance.randrange(len(record.rounds))
        place = chance.randrange(len(record.rounds[at].moves))
        other = another_move(chance, record, record.rounds[at].moves[place])
        fault = first_fault(changed(record, at, lambda played: with_move(played, place, other)))  # noqa: B023
        number = sum(len(each.moves) for each in record.rounds[:at]) + place + 1
        if fault is None:
            continue
        faults.append(fault)
        assert fault.place.round in {*range(at + 1, len(record.rounds) + 1), None}
        assert fault.place.number is None or fault.place.number >= number
    assert len(faults) > RECORDS_A_BATCH / 2


def another_move(chance: random.Random, record: Record, made: RecordedMove) -> RecordedMove:
    tiles = double_set(record.options.highest_pip)
    moves: list[Move] = [DRAW, PASS, Play(chance.choice(tiles), chance.randrange(len(record.seats)))]
    return replace(made, move=chance.choice([move for move in moves if move != made.move]))


def with_move(played: RecordedRound, place: int, made: RecordedMove) -> RecordedRound:
    return replace(played, moves=(*played.moves[:place], made, *played.moves[place + 1 :]))


def test_an_illegal_move_is_found_at_its_number_and_line() -> None:
    """A seat lays a tile that is the engine, which nobody holds."""
    for name in NAMES[:10]:
        record = record_of_match(stored(name))
        engine = next(tile for tile in double_set(18) if tile.is_double and tile.high == record.rounds[1].engine)
        first = record.rounds[1].moves[0]
        wrong = replace(first, move=Play(engine, first.seat))
        fault = fault_in(changed(record, 1, lambda played: with_move(played, 0, wrong)))  # noqa: B023
        number = len(record.rounds[0].moves) + 1
        assert (fault.code, fault.place.round, fault.place.number) == (FaultCode.ILLEGAL_MOVE, 2, number)
        assert text_of(record).splitlines()[(fault.place.line or 0) - 1].startswith(f"{number}. ")
        assert str(fault).endswith("That tile is not in this seat's hand.")


# Whatever comes is read, or refused in our own words


PIECES = [
    *(
        "[",
        "]",
        '"',
        "\\",
        "{",
        "}",
        ":",
        ",",
        ";",
        "#",
        "(",
        ")",
        ">",
        ".",
        "-",
        "\n",
        "\r\n",
        "\t",
        " ",
        "\0",
        "\ufeff",
    ),
    *("round", "seat", "option", "order", "hand", "boneyard", "seed", "secret", "winners", "unfinished", "points"),
    *("0", "1", "99", "9" * 30, "-1", "null", "true", "1e999", "NaN", "[[[[", '"\\ud800"', "٢", "\u2028", "🚂"),
    *("5-5", "5-5>0", "draw", "call", "keep", "(bot)", "1.", "1:", "mexican_train", '[MexicanTrain "1"]', "bot"),
]


def broken(chance: random.Random, text: str) -> str:
    """A text with pieces taken out, doubled, put in or exchanged."""
    for _ in range(chance.randint(1, 4)):
        one, other = sorted(chance.choices(range(len(text) + 1), k=2))
        other = min(other, one + chance.choice((0, 1, 3, 200)))
        put = chance.choice([*PIECES, text[one:other] * 2, ""])
        text = text[:one] + put + text[other:]
    return text


@pytest.mark.parametrize("batch", slow_after(1, range(BATCHES)))
def test_a_broken_text_is_read_or_refused(batch: int) -> None:
    for chance, record in records_of(batch)[:5]:
        for text in (text_of(record), json.dumps(document_of(record))):
            for _ in range(10):
                check_or_refuse(broken(chance, text))


def test_random_text_is_refused() -> None:
    chance = random.Random("nonsense")
    for _ in range(3000):
        with pytest.raises(BadRecord):
            check_record(record_in(" ".join(chance.choices(PIECES, k=chance.randint(0, 30)))))


def check_or_refuse(text: str) -> None:
    """The text is read or refused, and a record that was read can be written and read again."""
    try:
        record = record_in(text)
    except BadRecord as bad:
        str(bad).encode()
        return
    str(first_fault(record)).encode()
    assert record_in(text_of(record)) == record


VALUES: list[Any] = [None, True, -1, 0, 1, 2**70, 1.5, float("nan"), "", "x" * 2000, "\0", "\ud800", [], {}, [None]]


@pytest.mark.parametrize("batch", slow_after(1, range(BATCHES)))
def test_a_broken_document_is_read_or_refused(batch: int) -> None:
    for chance, record in records_of(batch)[:3]:
        for _ in range(30):
            document = json.loads(json.dumps(document_of(record)))
            break_document(chance, document)
            fault = fault_of(document)
            str(fault).encode()
            assert fault is None or fault.code is not FaultCode.UNREADABLE or fault.place.field


def fault_of(document: object) -> Fault | None:
    try:
        return first_fault(record_from(document))
    except BadRecord as bad:
        return bad.fault


def break_document(chance: random.Random, document: Any) -> None:
    """Put a wrong value, take one away, or add one, somewhere."""
    while True:
        names = list(document) if isinstance(document, dict) else list(range(len(document)))
        name = chance.choice(names) if names else None
        inner = None if name is None else document[name]
        if not isinstance(inner, dict | list) or not inner or chance.random() < 0.2:
            break
        document = inner
    if isinstance(document, dict):
        document[name if chance.random() < 0.9 else "other"] = chance.choice(VALUES)
    elif names and chance.random() < 0.7:
        document[name] = chance.choice(VALUES)
    else:
        document.append(chance.choice(VALUES))
