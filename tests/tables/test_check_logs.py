"""``manage.py check_logs`` replays the stored matches, and names whatever differs."""

from functools import cache
from io import StringIO
from itertools import pairwise, permutations
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from rules.games import GAMES
from rules.mexican_train.dealing import choose_engine, deal, hands_dealt
from rules.mexican_train.match import first_seat_of, winners
from rules.mexican_train.moves import Pass
from rules.mexican_train.options import OPTIONS, resolve
from rules.mexican_train.options.kinds import OneOf, SubsetOf
from rules.mexican_train.presets import PRESETS, rules_of
from rules.mexican_train.scoring import round_points
from rules.mexican_train.transitions import apply
from rules.mexican_train.versions import FirstMexicanTrain
from rules.shuffling import commitment_to, drawn_seat, shuffled
from tables import audit, snapshots
from tables.audit import StoredTable
from tables.models import By, Hand, Move, Round, Seat, StandIn, Status, Table
from tests.at_once import threads
from tests.cases import slow_after
from tests.cast import Caller, open_table
from tests.finished_matches.files import NAMES, Match, moves_in, stored
from tests.finished_matches.plans import BY_HAND, PLANS, SILENT, of_value, values_without_a_plan
from tests.finished_matches.rows import put_into_rows, rows_of, taken_from, tells_from
from tests.matches import begin, play_match, play_round, step
from tests.rest.checks import nothing_changes
from tests.rules.test_scoring import COUNTED

MATCHES = {name: stored(name) for name in NAMES}
OWN_TRAIN = OPTIONS["own_train_required_for"]
assert isinstance(OWN_TRAIN, SubsetOf)
ONE_OF = {option: kind.values for option, kind in OPTIONS.items() if isinstance(kind, OneOf)}


def options_of(stored: Match) -> dict[str, Any]:
    """All of them, also where there were fewer when they were stored."""
    return resolve(stored).as_dict()


PLAYED = [options_of(match["options"]) for match in MATCHES.values()]


def is_to_be_told(option: str, value: object) -> bool:
    """Whether matches show a value. ``test_scoring.py`` has a case for every number that is counted."""
    return option not in COUNTED or any(options[option] == value for options in PLAYED)


PAIRS = {
    (option, *pair)
    for option, values in ONE_OF.items()
    for pair in permutations(values, 2)
    if is_to_be_told(option, pair[0])
}


@pytest.fixture
def match() -> Match:
    """A small one: four seats, the first of each round not always the same."""
    return stored("lowest_total")


def checked(**options: Any) -> tuple[int, list[str]]:
    """Exit status and lines of the command."""
    out = StringIO()
    try:
        call_command("check_logs", stdout=out, **options)
    except SystemExit as end:
        return int(str(end.code)), out.getvalue().splitlines()
    return 0, out.getvalue().splitlines()


def check_as_played(**options: Any) -> None:
    with nothing_changes():
        status, (closing,) = checked(**options)
    assert (status, closing.rpartition(". ")[2]) == (0, "Tables that differ: 0.")


def check_differs(table: Table | dict[str, Any], report: str) -> None:
    """The only table differs, with this report."""
    key = table.pk if isinstance(table, Table) else table["id"]
    with nothing_changes():
        status, (line, closing) = checked()
    assert line == f"table {key}: {report}"
    assert closing.endswith("Tables that differ: 1.")
    assert status == 1


# The matches that this version has finished


@pytest.mark.slow
def test_every_recorded_match_replays_as_it_was_played(db: None) -> None:
    for match in MATCHES.values():
        put_into_rows(match)
    rounds = [each for match in MATCHES.values() for each in match["rounds"]]
    moves = sum(len(moves_in(each["moves"])) for each in rounds)
    told = f"Tables: {len(MATCHES)}, rounds: {len(rounds)}, moves: {moves}. Tables that differ: 0."
    assert checked() == (0, [told])


def test_every_plan_has_been_recorded() -> None:
    assert set(NAMES) == set(PLANS)


@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_is_recorded_with_its_present_options(preset: str) -> None:
    now = rules_of(preset, {}).as_dict()
    assert any(match["preset"] == preset and options_of(match["options"]) == now for match in MATCHES.values())


def test_every_value_without_a_written_plan_has_its_own_plan() -> None:
    fewer = [plan for plan in BY_HAND if plan.name != "may_decline"]
    assert set(values_without_a_plan(fewer)) - set(values_without_a_plan(BY_HAND)) == {("must_play", False)}
    plan = of_value("drawn_tile", "may")
    assert (plan.name, plan.options["drawn_tile"], plan.tells) == ("drawn_tile_may", "may", {"drawn_tile": ("must",)})
    assert of_value("drawn_tile", "must").tells == {"drawn_tile": ()}


@cache
def all_rows() -> list[StoredTable]:
    return sorted(map(rows_of, MATCHES.values()), key=lambda rows: rows.table.next_number)


def played_with(option: str, value: object) -> list[StoredTable]:
    """The matches with this value of an option, the shortest first."""
    return [rows for rows in all_rows() if options_of(rows.table.options)[option] == value]


@pytest.mark.parametrize("option", COUNTED)
def test_recorded_matches_have_different_numbers_in_each_counted_option(option: str) -> None:
    values = {value for counted, value, _ in PAIRS if counted == option}
    assert OPTIONS[option].default in values
    assert len(values) > 1


def is_told(option: str, value: object, other: object) -> bool:
    return any(tells_from(rows, option, other) for rows in played_with(option, value))


@pytest.mark.parametrize("option", slow_after(1, sorted({option for option, _, _ in PAIRS - SILENT})))
def test_every_two_values_of_an_option_give_different_records(option: str) -> None:
    """Some match with the one could not have been played so with the other: a rule that is lost is noticed."""
    pairs = {(value, other) for each, value, other in PAIRS - SILENT if each == option}
    assert {pair for pair in pairs if not is_told(option, *pair)} == set()


@pytest.mark.parametrize("wanted", OWN_TRAIN.values)
def test_own_train_required_for_makes_a_difference_in_the_records(wanted: str) -> None:
    option = "own_train_required_for"
    assert any(tells_from(rows, option, []) for rows in played_with(option, [wanted]))


def test_some_matches_begin_lower_and_some_end_early() -> None:
    options = [options_of(match["options"]) for match in MATCHES.values()]
    assert any(each["engine_first"] < each["set_max_pip"] for each in options)
    assert any(each["rounds"] <= each["engine_first"] for each in options)


def test_from_two_to_twelve_seats_have_been_played() -> None:
    assert {match["seats"] for match in MATCHES.values()} >= {2, 3, 4, 5, 6, 7, 8, 9, 12}


def test_every_kind_of_move_has_been_made() -> None:
    texts = {text for match in MATCHES.values() for each in match["rounds"] for _, text in moves_in(each["moves"])}
    words = {text.split(" ")[0] for text in texts if ">" not in text}
    assert words == {"draw", "pass", "end", "announce", "call"}
    assert any(text.endswith(" keep") for text in texts)


def test_a_call_out_of_turn_has_been_made() -> None:
    texts = [each["moves"] for each in stored("called")["rounds"]]
    following = [each for text in texts for each in pairwise(moves_in(text))]
    assert any(move.startswith("call") and caller != mover for (caller, move), (mover, _) in following)


def test_a_whole_boneyard_has_been_drawn_for_an_engine() -> None:
    """One tile is left after the deal; who draws it has no double, so that another seat becomes the starter."""
    match = stored("boneyard_drawn_for_engine")
    assert any(each["starter"] != each["first_seat"] and drawn_out(match, each) for each in match["rounds"])


def drawn_out(match: Match, each: Match) -> bool:
    order = [snapshots.TILE_FROM_TEXT[text] for text in each["order"].split()]
    dealt = deal(resolve(match["options"]), match["seats"], each["engine"], each["first_seat"], order)
    return not dealt.boneyard


def test_a_forfeited_seat_with_the_lowest_total_has_not_won() -> None:
    match = stored("forfeited")
    (seat,), totals = match["forfeited"], match["rounds"][-1]["result"]["totals"]
    assert totals[seat] == min(totals)
    assert seat not in match["winners"]


@pytest.mark.parametrize("name", ["called", "forfeited", "marker_kept"])
def test_a_match_written_to_rows_and_read_again_is_the_same(db: None, name: str) -> None:
    assert taken_from(put_into_rows(stored(name))) == stored(name)


# Moves that were not made so


def put_in(match: Match, place: int, seat: int, text: str, instead: int = 0) -> Match:
    """Another move at a place of the first round, perhaps instead of the one that is there."""
    moves = moves_in(match["rounds"][0]["moves"])
    moves[place - 1 : place - 1 + instead] = [(seat, text)]
    match["rounds"][0]["moves"] = " ".join(f"{mover}:{move}" for mover, move in moves)
    return match


def move_at(match: Match, place: int) -> tuple[int, str]:
    return moves_in(match["rounds"][0]["moves"])[place - 1]


@pytest.mark.parametrize(
    ("text", "reason"),
    [("6-6>0", "tile_not_held"), ("pass", "must_play"), ("end", "nothing_to_end"), ("5-0>7", "no_such_train")],
)
def test_an_illegal_move_is_named_with_its_reason(db: None, match: Match, text: str, reason: str) -> None:
    seat, _ = move_at(match, 1)
    table = put_into_rows(put_in(match, 1, seat, text))
    check_differs(table, f'round 1: move 1, "{text}": illegal: {reason}')


def test_a_move_of_another_seat_is_found(db: None, match: Match) -> None:
    seat, text = move_at(match, 5)
    other = (seat + 1) % 4
    table = put_into_rows(put_in(match, 5, other, text, instead=1))
    check_differs(table, f'round 1: move 5, "{text}": the seat is {other}, expected {seat}')


def test_an_unreadable_move_is_found(db: None, match: Match) -> None:
    table = put_into_rows(put_in(match, 2, 0, "fly"))
    told = '"fly" is not a move; write a move as 12-5>0, 12-5>mexican, draw or pass.'
    check_differs(table, f'round 1: move 2, "fly": {told}')


def test_a_move_after_the_end_is_found(db: None, match: Match) -> None:
    last = len(moves_in(match["rounds"][0]["moves"]))
    table = put_into_rows(put_in(match, last + 1, 0, "draw"))
    check_differs(table, f'round 1: move {last + 1}, "draw": illegal: round_over')


def test_a_result_without_an_end_is_found(db: None, match: Match) -> None:
    moves = moves_in(match["rounds"][0]["moves"])
    seat, last = moves[-1]
    match["rounds"][0]["moves"] = match["rounds"][0]["moves"].removesuffix(f" {seat}:{last}")
    check_differs(put_into_rows(match), f"round 1: its moves do not end it, seat {seat} is to move")


@pytest.fixture
def called() -> tuple[Match, int]:
    """A match, and the place of the first call in its first round, which has one."""
    match = stored("called")
    rounds = [each for each in match["rounds"] if "call" in each["moves"]]
    place = next(at for at, (_, text) in enumerate(moves_in(rounds[0]["moves"]), start=1) if text.startswith("call"))
    assert rounds[0] is match["rounds"][0]
    return match, place


def test_any_other_seat_may_have_called(db: None, called: tuple[Match, int]) -> None:
    match, place = called
    seat, text = move_at(match, place)
    (other,) = {0, 1, 2} - {seat, int(text[-1])}
    put_into_rows(put_in(match, place, other, text, instead=1))
    check_as_played()


@pytest.mark.parametrize("away", [0, 3])
def test_a_call_of_oneself_or_from_outside_is_found(db: None, called: tuple[Match, int], away: int) -> None:
    match, place = called
    _, text = move_at(match, place)
    seat = away or int(text[-1])
    table = put_into_rows(put_in(match, place, seat, text, instead=1))
    check_differs(table, f'round 1: move {place}, "{text}": by seat {seat}, which cannot make this move')


def test_a_call_without_a_reason_is_found(db: None, called: tuple[Match, int]) -> None:
    match, place = called
    seat, text = move_at(match, place)
    table = put_into_rows(put_in(match, place + 1, seat, text))
    check_differs(table, f'round 1: move {place + 1}, "{text}": illegal: nothing_to_call')


def test_a_gap_in_the_log_is_found(alice: Caller, bob: Caller) -> None:
    table = begin(alice, bob)
    step(table)
    played = Round.objects.get(number=1)
    Move.objects.create(
        table_id=UUID(table["id"]), round=played, number=3, seat=1, text="draw", by=By.BOT, at=timezone.now()
    )
    check_differs(table, "next_number is 2, but the log goes on from there")
    Table.objects.update(next_number=4)
    check_differs(table, 'round 1: move 3, "draw": its number is 3, expected 2')


# Deals that were not made so


def first_swapped(text: str, at: int) -> str:
    """The text with the tiles at this place and the next the other way round."""
    words = text.split()
    words[at - 1], words[at] = words[at], words[at - 1]
    return " ".join(words)


def test_a_wrong_order_is_named_without_its_tiles(db: None, match: Match) -> None:
    table = put_into_rows(match)
    Round.objects.filter(number=2).update(order=first_swapped(match["rounds"][1]["order"], 17))
    check_differs(table, "round 2: the order is not as expected, from tile 17 on")


def test_an_order_that_is_not_the_whole_set_is_found(db: None, match: Match) -> None:
    table = put_into_rows(match)
    Round.objects.filter(number=2).update(order=match["rounds"][1]["order"][:-4])
    check_differs(table, "round 2: the order is not as expected, in length or spacing")


def test_a_wrong_hand_is_named_without_its_tiles(db: None, match: Match) -> None:
    table = put_into_rows(match)
    swapped = first_swapped(match["rounds"][2]["hands"][1], 3)
    Hand.objects.filter(round__number=3, seat__number=1).update(tiles=swapped)
    check_differs(table, "round 3: the hand of seat 1 is not as expected, from tile 3 on")


def test_a_missing_hand_is_found(db: None, match: Match) -> None:
    table = put_into_rows(match)
    Hand.objects.filter(round__number=3, seat__number=1).delete()
    check_differs(table, "round 3: the number of hands is 3, expected 4")


def test_a_secret_that_does_not_match_its_commitment_is_found(db: None, match: Match) -> None:
    table = put_into_rows(match)
    Round.objects.filter(number=4).update(secret=b"another")
    there, expected = match["rounds"][3]["commitment"], commitment_to(b"another")
    check_differs(table, f'round 4: the commitment is "{there}", expected "{expected}"')


def test_a_missing_client_seed_is_found(db: None, match: Match) -> None:
    table = put_into_rows(match)
    Round.objects.filter(number=1).update(client_seeds=["", ""])
    check_differs(table, "round 1: the number of client seeds is 2, expected 4")


@pytest.mark.parametrize(
    ("column", "name"), [("first_seat", "the first seat"), ("engine", "the engine"), ("starter", "the starter")]
)
@pytest.mark.parametrize("number", [1, 3])
def test_a_wrong_starter_or_engine_is_found(db: None, match: Match, column: str, name: str, number: int) -> None:
    table = put_into_rows(match)
    is_now = match["rounds"][number - 1][column]
    rounds = Round.objects.filter(number=number)
    rounds.update(facts=rounds.get().facts | {column: is_now + 1})
    check_differs(table, f"round {number}: {name} is {is_now + 1}, expected {is_now}")
    rounds.update(facts=rounds.get().facts | {column: None})
    check_differs(table, f"round {number}: {name} is null, expected {is_now}")


def test_a_missing_round_is_found(db: None, match: Match) -> None:
    table = put_into_rows(match)
    Round.objects.filter(number=2).update(number=9)
    check_differs(table, "round 2: missing")


# Results that were not reached so


@pytest.mark.parametrize(
    ("name", "there"),
    [
        ("number", 1),
        ("engine", "0-0"),
        ("starter", None),
        ("ended", "by hand"),
        ("out", 9),
        ("points", [0, 0, 0, 1]),
        ("totals", [0, 0, 0, 1]),
        ("hands", []),
    ],
)
def test_a_wrong_result_is_found(db: None, match: Match, name: str, there: Any) -> None:
    table = put_into_rows(match)
    result = match["rounds"][1]["result"]
    Round.objects.filter(number=2).update(result={**result, name: there})
    check_differs(
        table, f"round 2: the result's {name} is {audit.in_short(there)}, expected {audit.in_short(result[name])}"
    )


@pytest.mark.parametrize("damaged", [None, [1], "text"])
def test_a_result_that_is_not_an_object_is_found(db: None, match: Match, damaged: Any) -> None:
    table = put_into_rows(match)
    Round.objects.filter(number=2).update(result=damaged)
    check_differs(table, f"round 2: the result is {audit.in_short(damaged)}, expected a map of facts")


def test_wrong_points_of_a_hand_are_found(db: None, match: Match) -> None:
    table = put_into_rows(match)
    Hand.objects.filter(round__number=2).update(points=7)
    points = match["rounds"][1]["result"]["points"]
    check_differs(table, f"round 2: the points of its hands is [7, 7, 7, 7], expected {points}")


def test_a_finished_round_without_a_time_is_found(db: None, match: Match) -> None:
    table = put_into_rows(match)
    Round.objects.filter(number=2).update(ended_at=None)
    check_differs(table, "round 2: it has ended, but no time is stored at which it did")


def test_a_dealt_round_without_a_time_is_found(db: None, match: Match) -> None:
    table = put_into_rows(match)
    Round.objects.filter(table=table, number=1).update(dealt_at=None)
    check_differs(table, "round 1: it has been dealt, but no time is stored at which it was")


@pytest.mark.parametrize("status", ["finished", "playing", "cancelled"])
def test_a_match_without_a_start_time_is_found(db: None, match: Match, status: str) -> None:
    table = put_into_rows(match)
    turn = 0 if status == "playing" else None
    Table.objects.filter(pk=table.pk).update(started_at=None, status=status, turn=turn)
    check_differs(table, "it has been played, but no time is stored at which it started")


def test_a_wrong_total_is_found(db: None, match: Match) -> None:
    table = put_into_rows(match)
    total = match["rounds"][-1]["result"]["totals"][2]
    Seat.objects.filter(number=2).update(total=total + 1)
    check_differs(table, f"the total of seat 2 is {total + 1}, expected {total}")


def test_a_wrong_winner_is_found(db: None, match: Match) -> None:
    table = put_into_rows(match)
    Table.objects.update(winners=[0, 1, 2, 3])
    check_differs(table, f"winners is [0, 1, 2, 3], expected {match['winners']}")


def test_a_forfeited_winner_is_found(db: None) -> None:
    match = stored("forfeited")
    table = put_into_rows(match)
    Seat.objects.update(stand_in_until=StandIn.NOBODY)
    check_differs(table, f"winners is {match['winners']}, expected {match['forfeited']}")


# Tables that cannot be read


def test_an_unknown_version_is_found(db: None, match: Match) -> None:
    table = put_into_rows(match | {"engine_version": 99})
    check_differs(table, "engine version 99 is unknown; this server plays 1, 2")


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ([1], "[1] is not an object of options"),
        ({"colour": "red"}, "colour: this option does not exist."),
        ({"must_play": "perhaps"}, 'must_play: "perhaps" is not one of true, false.'),
        ({"hand_sizes": {"2": 3}}, "hand_sizes: these rules are for 2 seats, not 4."),
    ],
)
def test_invalid_options_are_found(db: None, match: Match, options: Any, told: str) -> None:
    table = put_into_rows(match)
    Table.objects.update(options=options)
    check_differs(table, f"options: {told}")


def test_a_wrong_number_of_a_seat_is_found(db: None, match: Match) -> None:
    table = put_into_rows(match)
    Seat.objects.filter(number=3).update(number=4)
    check_differs(table, "the seats' numbers is [0, 1, 2, 4], expected [0, 1, 2, 3]")


def test_a_table_without_seats_is_found(db: None) -> None:
    options = rules_of("classic", {}).as_dict()
    table = Table.objects.create(preset="classic", options=options, engine_version=1)
    check_differs(table, "options: hand_sizes: these rules are for 2, 3, 4, 5, 6, 7, 8 seats, not 0.")


def test_every_table_that_differs_is_reported(db: None, match: Match) -> None:
    for name in ("called", "forfeited"):
        put_into_rows(stored(name))
    wrong = [put_into_rows(match), put_into_rows(stored("one_lap"))]
    Table.objects.filter(pk__in=[table.pk for table in wrong]).update(winners=[])
    status, lines = checked()
    assert (status, len(lines)) == (1, 3)
    assert {line.split()[1] for line in lines[:2]} == {f"{table.pk}:" for table in wrong}
    assert lines[2].startswith("Tables: 4, ")
    assert lines[2].endswith("Tables that differ: 2.")


# One table only


def test_one_table_can_be_checked(db: None, match: Match) -> None:
    table, other = put_into_rows(match), put_into_rows(stored("called"))
    Table.objects.filter(pk=other.pk).update(winners=[])
    check_as_played(table=table.pk)
    assert checked(table=other.pk)[0] == 1


def test_an_unknown_table_is_an_error(db: None) -> None:
    unknown = uuid4()
    with pytest.raises(CommandError, match=f"There is no table {unknown}"):
        checked(table=unknown)
    with pytest.raises(CommandError, match="invalid UUID value: 'kitchen'"):
        call_command("check_logs", "--table", "kitchen")


# Tables that are not over


def test_an_open_table_has_only_a_commitment(alice: Caller) -> None:
    table = open_table(alice, seats=2)
    check_as_played()
    Round.objects.update(commitment="another")
    expected = commitment_to(bytes(Round.objects.get().secret))
    check_differs(table, f'round 1: the commitment is "another", expected "{expected}"')


def test_a_running_match_is_checked_as_far_as_it_has_come(alice: Caller, bob: Caller) -> None:
    table = begin(alice, bob)
    check_as_played()
    step(table)
    check_as_played()
    play_round(table)
    step(table)
    check_as_played()
    play_match(table)
    check_as_played()


@pytest.mark.parametrize("is_started", [False, True])
def test_a_cancelled_table_keeps_its_log(alice: Caller, bob: Caller, is_started: bool) -> None:
    table = begin(alice, bob) if is_started else open_table(alice, seats=2)
    if is_started:
        step(table)
    alice.post(f"tables/{table['id']}/cancel")
    check_as_played()
    Table.objects.update(next_number=7)
    check_differs(table, f"next_number is 7, expected {1 + is_started}")


def test_a_wrong_column_of_the_table_is_found(alice: Caller, bob: Caller) -> None:
    table = begin(alice, bob)
    step(table)
    row = Table.objects.get()
    for column, there in (("turn", 1 - (row.turn or 0)), ("tile_counts", [9, 9]), ("next_number", 9)):
        Table.objects.update(**{column: there})
        check_differs(table, f"{column} is {there}, expected {getattr(row, column)}")
        row.save()
    check_as_played()


def test_a_wrong_number_of_rounds_is_found(alice: Caller, bob: Caller) -> None:
    table = begin(alice, bob)
    play_round(table)
    Table.objects.update(rounds_played=0)
    (ended,) = Round.objects.filter(number=1).values_list("result__ended", flat=True)
    check_differs(table, f"round 1: its moves end it ({ended}), but it is the round on the table")
    Table.objects.update(rounds_played=2)
    check_differs(table, "rounds_played is 2, expected fewer than 2")
    Table.objects.update(rounds_played=1, status=Status.FINISHED, turn=None)
    check_differs(table, "rounds_played is 1, expected 2")


def test_a_round_too_many_is_found(alice: Caller, bob: Caller) -> None:
    table = begin(alice, bob)
    play_match(table)
    played = Round.objects.get(number=2)
    Round.objects.create(table_id=played.table_id, number=3, secret=b"", commitment=commitment_to(b""))
    check_differs(table, "round 3: one too many, the match has 2")


def test_moves_made_during_the_check_make_no_difference(alice: Caller, bob: Caller) -> None:
    table = begin(alice, bob)
    step(table)
    rows = audit.read(UUID(table["id"]))
    assert rows is not None
    play_match(table)
    assert audit.first_difference(rows) is None


@pytest.mark.django_db(transaction=True)
def test_a_table_can_be_checked_while_it_is_played(alice: Caller, bob: Caller) -> None:
    table = begin(alice, bob)
    seen = []
    with threads() as start:
        playing = start(lambda: play_match(table))
        while not playing.done():
            rows = audit.read(UUID(table["id"]))
            assert rows is not None
            assert audit.first_difference(rows) is None
            seen.append(rows.table.next_number)
        playing.result()
    assert len(set(seen)) > 3, "it was never read in the middle"


def test_tables_are_read_in_chunks(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    tables = [Table.objects.create(preset="classic", options={}, engine_version=1) for _ in range(5)]
    monkeypatch.setattr(audit, "CHUNK", 2)
    assert list(audit.table_ids()) == sorted(table.pk for table in tables)


# Rules that have changed


def pass_fails(state: Any, move: Any) -> Any:
    assert not isinstance(move, Pass), "nobody passes any more"
    return apply(state, move)


def highest_total_begins(options: Any, seats: int, index: int, first: int, standing: Any) -> int:
    return first_seat_of(options, seats, index, first, [-total for total in standing])


def without_front(options: Any, seats: int, engine: int, order: Any) -> Any:
    return hands_dealt(options, seats, engine, order[1:])


def from_the_next_seat(options: Any, seats: int, order: Any, facts: Any) -> Any:
    return deal(options, seats, facts["engine"], (facts["first_seat"] + 1) % seats, order)


def backwards(options: Any, secret: Any, table: Any, number: Any, seeds: Any) -> Any:
    return shuffled(secret, table, number, seeds, options.highest_pip)[::-1]


CHANGED: dict[str, tuple[Any, str]] = {
    "shuffled": (backwards, "round 1: the order is not as expected, from tile 1 on"),
    "drawn_seat": (lambda *a: (drawn_seat(*a) + 1) % 4, "round 1: the first seat is "),
    "first_seat_of": (highest_total_begins, "round 2: the first seat is "),
    "choose_engine": (lambda *a: max(choose_engine(*a), 3), "round 5: the engine is 2, expected 3"),
    "hands_dealt": (without_front, "round 1: the hand of seat 0 is not as expected"),
    "dealt": (from_the_next_seat, "round 1: the starter is "),
    "apply": (pass_fails, "the rules fail with AssertionError('nobody passes any more"),
    "round_points": (lambda state: round_points(state)[::-1], "the result's points is "),
    "winners": (lambda *a: [*winners(*a), 9], "winners is "),
}


@pytest.mark.parametrize("rule", CHANGED)
def test_a_changed_rule_is_found(db: None, match: Match, rule: str, monkeypatch: pytest.MonkeyPatch) -> None:
    changed, told = CHANGED[rule]
    put_into_rows(match)
    check_as_played()
    own = type("Changed", (FirstMexicanTrain,), {rule: lambda _, *values: changed(*values)})
    monkeypatch.setitem(GAMES, ("mexican_train", 1), own())
    status, (line, _) = checked()
    assert status == 1
    assert told in line
