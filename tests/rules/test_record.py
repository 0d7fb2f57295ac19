"""Records as text and JSON: which parts are optional, which are kept, and how wrong ones are reported."""

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeAlias

import pytest

from rules.mexican_train.moves import Call, Play
from rules.mexican_train.presets import options_over, overrides_over, rules_of
from rules.records.checking import check_record, first_fault
from rules.records.json_form import document_of, record_from
from rules.records.record import (
    MOST_CHARACTERS,
    MOST_MOVES,
    MOST_TILES,
    BadRecord,
    Fault,
    FaultCode,
    Record,
    RecordedSeat,
    recorded_options,
)
from rules.records.text_form import LONGEST_LINE, MOST_LINES, MOST_WORDS, record_in, text_of
from tests.cases import for_each
from tests.finished_matches.files import stored
from tests.rules.records import record_of_match
from tests.rules.test_record_format import BY_HAND, FROM_SERVER

FAIR = record_in(FROM_SERVER)
Change: TypeAlias = Callable[[dict[str, Any]], None]


def fault_in(text: str) -> str:
    """The fault of a text."""
    try:
        return str(first_fault(record_in(text)))
    except BadRecord as bad:
        return str(bad)


def fault_of(document: Any) -> Fault | None:
    try:
        return first_fault(record_from(document))
    except BadRecord as bad:
        return bad.fault


# What a text may be


def test_blanks_comments_and_numbers_are_free() -> None:
    text = BY_HAND.replace("\n", "\r\n").replace("2. 1: 6-2>1", "\t 1:\t6-2>1   # no number").replace("4. 1:", "1:")
    assert record_in("\ufeff# my match\n;another\n" + text) == record_in(BY_HAND)


def test_headers_without_effect_are_kept() -> None:
    text = BY_HAND.replace('[Annotator "Bob"]', '[Annotator "Bob \\"B\\" ; # \\\\ \\u00eb"] ; so he says\n[x-1_y ""]')
    record = record_in(text)
    assert record.headers[-2:] == (("Annotator", 'Bob "B" ; # \\ ë'), ("x-1_y", ""))
    assert record_in(text_of(record)).headers == record.headers


def test_without_a_preset_and_names_the_rules_are_classic_and_the_seats_nameless() -> None:
    record = record_in('[MexicanTrain "1"]\noption rounds 1\nseat 0\nseat 1 bot easy\nunfinished')
    assert (record.preset, record.options) == ("classic", rules_of("classic", {"rounds": 1}))
    assert record.seats == (RecordedSeat(), RecordedSeat("", "bot", "easy"))
    assert first_fault(record) is None


def test_hands_of_an_engine_that_was_held() -> None:
    """The hands are as dealt, with the engine in one. The boneyard begins with the tiles drawn for it."""
    engine_held = record_of_match(stored("engine_held"))
    order = engine_held.rounds[0].order
    hands = "\n".join(f"hand {seat} {tiles_in(order[seat * 5 : seat * 5 + 5])}" for seat in range(3))
    record = replace(engine_held, rounds=engine_held.rounds[:1], is_unfinished=True, winners=None, table=None)
    whole = text_of(record)
    lines = [line for line in whole.splitlines() if not line.startswith(("order", "secret", "seed", "commitment"))]
    text = "\n".join(lines).replace("starter", f"{hands}\nboneyard {tiles_in(order[15:])}\nstarter")
    assert record_in(text).rounds[0].order == order
    assert first_fault(record_in(text)) is None


def tiles_in(tiles: Any) -> str:
    return " ".join(f"{tile.low}-{tile.high}" for tile in tiles)


def test_a_hand_that_contains_the_engine_set_aside_is_accepted() -> None:
    """Then the set is complete, and the reader reports that a tile is missing from a hand."""
    text = BY_HAND.replace("hand 0 6-5", "hand 0 6-6").replace("boneyard", "boneyard 6-5")
    assert "illegal" in fault_in(text)


def test_the_log_s_spellings_are_understood() -> None:
    kept = record_of_match(stored("marker_kept"))
    plays = [made.move for each in kept.rounds for made in each.moves if isinstance(made.move, Play)]
    assert any(play.keep_marker for play in plays)
    assert record_in(text_of(kept)) == kept == record_from(document_of(kept))
    called = record_of_match(stored("called"))
    assert any(isinstance(made.move, Call) for each in called.rounds for made in each.moves)
    assert record_in(text_of(called)) == called


def test_no_seat_is_out_in_a_blocked_round() -> None:
    blocked = record_of_match(stored("blocked"))
    at, said = next((at, each) for at, each in enumerate(blocked.rounds) if each.ended == "blocked")
    rounds = (*blocked.rounds[:at], replace(said, out=0), *blocked.rounds[at + 1 :])
    assert "The seat that is out should be nobody, not 0." in str(first_fault(replace(blocked, rounds=rounds)))


def test_facts_that_are_not_stated_are_not_written() -> None:
    said = record_in(BY_HAND.replace("ended out 1\npoints 8 0\nwinners 1\n", ""))
    assert record_in(text_of(said)) == said
    assert "ended" not in text_of(said)
    assert record_in(text_of(check_record(said).record)).winners == (1,)


def test_an_invisible_letter_is_written_as_an_escape() -> None:
    record = replace(FAIR, headers=(("Event", "a\u2028b\u202e\n🚂"),))
    assert '"a\\u2028b\\u202e\\n🚂"' in text_of(record)
    assert record_in(text_of(record)) == record


# What a text may not be


WRONG_TEXTS: list[tuple[str, str, str]] = [
    ('[MexicanTrain "1"]', "", "line 1, column 1: This is not a Mexican Train record"),
    ('[MexicanTrain "1"]', '[MexicanTrain "one"]', "line 1, column 1: This is not a Mexican Train record"),
    ('[MexicanTrain "1"]', '[mexicantrain "1"]', 'Write "mexicantrain" as MexicanTrain.'),
    ('[Annotator "Bob"]', '[Event "twice"]', "line 4, column 1: This occurs twice; write it only once."),
    ('[Annotator "Bob"]', "[Annotator Bob]", "A header looks like"),
    ('[Annotator "Bob"]', '[Annotator "\\x"]', "Put a text in double quotes"),
    ('[Annotator "Bob"]', '[1st "Bob"]', "A header's name may contain only letters"),
    ('[Annotator "Bob"]', '[Annotator "\\ud800"]', "NUL or half of a surrogate pair"),
    ('[Annotator "Bob"]', f'[Annotator "{"x" * 1001}"]', "This text has 1001 characters"),
    ('[Annotator "Bob"]', "".join(f'[a{at} "x"]\n' for at in range(51)), "The record has 53 headers; at most 50"),
    ('[Annotator "Bob"]', '[Table "1"]', '"1" is not a UUID in lower case'),
    ('[Annotator "Bob"]', '[Preset "bridge"]', 'preset: "bridge" is not one of'),
    ('[Annotator "Bob"]', '[Rules "99"]', "Engine version 99 is unknown; this server plays 1, 2."),
    ('[Annotator "Bob"]', '[Rules "new"]', '"new" is not an integer'),
    ("option rounds 1", "option rounds", "An option looks like"),
    ("option rounds 1", "option rounds 1 2", 'line 8, column 1: Remove "2"'),
    ("option rounds 1", "option rounds 9", "line 8, column 1: rounds: a match with the first engine 6 has at most 7"),
    ("option rounds 1", "option laps 1", "line 8, column 1: laps: this option does not exist."),
    ("option rounds 1", "option rounds many", 'rounds: "many" is not an integer'),
    ('option hand_sizes {"2": 4}', 'option hand_sizes {"2": 15}', "line 7, column 1: hand_sizes: each of 2 seats can"),
    ('seat 1 "Bob"', "", "line 7, column 1: hand_sizes: these rules are for 2 seats, not 1."),
    ('seat 1 "Bob"', 'seat 2 "Bob"', "line 11, column 1: This is seat 1, not 2."),
    ('seat 1 "Bob"', 'seat 1 "Bob" "by"', "line 11, column 14: A seat looks like"),
    ('seat 1 "Bob"', 'seat one "Bob"', "line 11, column 6: Write an integer here."),
    ('seat 1 "Bob"', "seat", "line 11, column 1: Write an integer here."),
    ('seat 1 "Bob"', 'seat 1 "Bob" bot', "A bot must have a level, and a person cannot have one."),
    ('seat 1 "Bob"', 'seat 1 "Bob" bot Easy', '"Easy" is not a bot\'s level.'),
    ('seat 1 "Bob"', f'seat 1 "{"B" * 41}"', "line 11, column 1: This text has 41 characters"),
    ("round 1", "round 2", "line 13, column 1: This is round 1, not 2."),
    ("round 1", "", "line 14, column 1: This belongs to a round"),
    ("round 1", "round 1\nengine 6-5", "line 14, column 8: 6-5 is not a double."),
    ("round 1", "round 1\nengine 6", 'line 14, column 8: "6" is not a tile'),
    ("round 1", "round 1\nengine 6-6 5-5", "line 14, column 1: Write exactly one word after engine."),
    ("round 1", "round 1\norder 6-6", "A round must have either an order, or hands and a boneyard."),
    ("round 1", "round 1\nfirst 2", "line 14, column 1: 2 is not a seat from 0 to 1."),
    ("round 1", "round 1\nsecret 00", 'line 14, column 8: "00" is not 64 hexadecimal digits.'),
    ("round 1", f"round 1\ncommitment {'0' * 64}", "A commitment without its secret cannot be checked."),
    ("round 1", 'round 1\nseed 0 "x"', "Client seeds without a secret have no meaning; add the secret."),
    ("round 1", 'round 1\nseed 2 "x"', "line 14, column 1: A seed looks like"),
    ("round 1", "round 1\nseed 0 x", "line 14, column 8: Put a text in double quotes"),
    ("hand 1", "hand 2", "line 15, column 6: The next hand must be that of seat 1."),
    ("hand 1 6-2", "hand 1", "line 15, column 1: A hand has 3 tiles; 4 are dealt."),
    ("hand 1 6-2 2-2 5-4 1-0", "", "line 13, column 1: There is 1 value for 2 seats; give one for each seat."),
    ("boneyard", "boneyard 6-6 6-6", "The order must contain each tile of the set once: 6-6 occurs 2 times."),
    ("boneyard 3-1", "boneyard 7-1", "The order must contain each tile of the set once: 7-1 is not in the set."),
    ("boneyard 3-1", "boneyard", "The order must contain each tile of the set once: 3-1 is missing."),
    ("boneyard", "boneyard" + " 0-0" * 190, "No set has that many tiles."),
    ("2. 1:", "3. 1:", "round 1, move 2, line 19, column 7: This is move 2, not 3."),
    ("2. 1: 6-2>1", "2.", "line 19, column 1: Moves look like"),
    ("2. 1: 6-2>1", "2. 1:", "line 19, column 1: Moves look like"),
    ("2. 1: 6-2>1", "2. 6-2>1", "line 19, column 1: Moves look like"),
    ("2. 1: 6-2>1", "2. 2: 6-2>1", "line 19, column 7: 2 is not a seat from 0 to 1."),
    ("2. 1: 6-2>1", "2. 1: fly", 'line 19, column 7: "fly" is not a move'),
    ("2. 1: 6-2>1", "2. 1: draw keep", "Only a move that lays a tile can keep the marker."),
    ("2. 1: 6-2>1", "2. 1: 6-2>1 (ghost)", '"ghost" is not one of person, bot, timeout, host.'),
    ("2. 1: 6-2>1", "2. 1: call", '"call" is not a move'),
    ("2. 1: 6-2>1", "2. 0: 6-2>1", "round 1, move 2, line 19, column 7: It is the turn of seat 1, not of seat 0."),
    ("2. 1: 6-2>1", "2. 1: call 1", "round 1, move 2, line 19, column 7: A seat cannot call itself."),
    ("2. 1: 6-2>1", "2. 0: call 1", "illegal: There is nobody to call"),
    ("2. 1: 6-2>1", "2. 1: draw", "so it may not draw or pass. The option must_play decides this."),
    (
        "18. 1: 1-0>1",
        "",
        "round 1, move 18, line 13, column 1: The moves do not end the round: it is the turn of seat 1",
    ),
    ("ended out 1", "19. 1: pass", "move 19, line 31, column 8: pass by seat 1 is illegal: The round is over."),
    ("ended out 1", "ended", "The end of a round looks like"),
    ("ended out 1", "ended early", 'line 31, column 7: "early" is not one of out, blocked.'),
    ("ended out 1", "ended blocked", "round 1, line 31, column 7: The end of the round should be out, not blocked."),
    ("ended out 1", "ended out 0", "round 1, line 31, column 11: The seat that is out should be 1, not 0."),
    ("points 8 0", "points 8", "line 32, column 1: There is 1 value for 2 seats; give one for each seat."),
    ("points 8 0", "points 8 x", "line 32, column 10: Write an integer here."),
    ("points 8 0", "totals 8 1", "round 1, line 32, column 1: The totals should be 8 0, not 8 1."),
    ("winners 1", "winner 1", 'line 33, column 1: No line of a record begins with "winner".'),
    ("winners 1", "winners 0", "The winners should be 1, not 0."),
    ("winners 1", "winners 5", "line 33, column 1: 5 is not a seat from 0 to 1."),
    ("winners 1", "unfinished", "The record has the only round, so the match is finished."),
    ("winners 1", "unfinished soon", "line 33, column 12: Write nothing after unfinished."),
    ("winners 1", "round 2", "line 33, column 1: These rules have 1 round."),
    (
        "option rounds 1",
        "option rounds 2",
        "The record has 1 of the 2 rounds that these rules need. Is the match unfinished?",
    ),
]


@for_each(("part", "other", "said"), WRONG_TEXTS)
def test_a_wrong_text_is_reported_with_its_place(part: str, other: str, said: str) -> None:
    assert fault_in(BY_HAND) == "None"
    assert part in BY_HAND
    assert said in fault_in(BY_HAND.replace(part, other, 1))


WRONG_DEALS: list[tuple[str, str, str]] = [
    ("engine 1-1", "engine 2-2", "round 1, line 18, column 8: The engine should be 1-1, not 2-2."),
    ("first 0", "first 1", "round 1, line 19, column 1: The first seat should be 0, not 1."),
    ("starter 1", "starter 2", "round 1, line 20, column 1: The starter should be 1, not 2."),
    ("commitment 5", "commitment 6", "round 1, line 21, column 12: The commitment should be 5346"),
    ('seed 0 "zo', 'seed 1 "zo', "round 1, line 24, column 1: The secret and the seeds give a different order: tile 2"),
    ("4000-8000-000000000001", "4000-8000-000000000002", "The secret and the seeds give a different order"),
    ('[Table "00000000-0000-4000-8000-000000000001"]\n', "", "The shuffle cannot be checked"),
    ("winners 1", "unfinished\nwinners 1", "The record has the only round"),
    ("option rounds 1", "option rounds 2\n", "The record has 1 of the 2 rounds"),
]


@pytest.mark.parametrize(("part", "other", "said"), WRONG_DEALS)
def test_a_wrong_deal_is_reported_with_its_place(part: str, other: str, said: str) -> None:
    assert said in fault_in(FROM_SERVER.replace(part, other, 1))


def test_an_unfinished_match_has_no_winners() -> None:
    text = FROM_SERVER.replace("option rounds 1", "option rounds 2").replace("winners 1", "unfinished\nwinners 1")
    assert fault_in(text) == "line 41, column 1: An unfinished match has no winners."


def test_a_forfeited_seat_does_not_win() -> None:
    record = record_in(BY_HAND.replace('seat 1 "Bob"', 'seat 1 "Bob" person forfeited').replace("winners 1\n", ""))
    assert check_record(record).record.winners == (0,)


def test_the_first_seat_is_drawn_or_stated() -> None:
    drawn = record_of_match(stored("official_d9"))
    assert drawn.options.draws_first_seat
    assert check_record(drawn).record == drawn
    first = drawn.rounds[0].first_seat
    assert first != 0
    bare = tuple(replace(each, secret=None, commitment=None, client_seeds=()) for each in drawn.rounds)
    assert first_fault(replace(drawn, rounds=bare)) is None
    unsaid = replace(bare[0], first_seat=None)
    fault = first_fault(replace(drawn, rounds=(unsaid, *bare[1:])))
    assert fault is not None
    assert fault.code in ("wrong_starter", "wrong_first_seat", "wrong_seat", "wrong_engine")


def test_a_record_beyond_the_limits_is_refused() -> None:
    assert "at most 1048576 characters" in fault_in(" " * (MOST_CHARACTERS + 1))
    many = "0: draw\n" * (MOST_MOVES + 1)
    assert f"The record has more than {MOST_MOVES} moves." in fault_in(BY_HAND.replace("ended out 1", many))
    document = document_of(record_in(BY_HAND))
    document["rounds"][0]["moves"] = [{"seat": 0, "move": "draw"}] * (MOST_MOVES + 1)
    fault = fault_of(document)
    assert fault is not None
    assert (fault.code, fault.place.field) == ("too_many_moves", f"rounds.0.moves.{MOST_MOVES}")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('"' * 1_000_000, f"line 1, column 1: A line has at most {LONGEST_LINE} characters."),
        (BY_HAND.replace("round 1", "round 1 " + "x" * LONGEST_LINE), "line 13, column 1: A line has at most"),
        (BY_HAND + ";\n" * MOST_LINES, f"A record has at most {MOST_LINES} lines."),
        (BY_HAND.replace("points 8 0", ("points" + " 0" * 8000 + "\nround 1\n") * 16), f"at most {MOST_WORDS} words."),
    ],
    ids=lambda text: text[:8],
)
def test_a_text_is_measured_before_it_is_taken_apart(text: str, said: str) -> None:
    assert said in fault_in(text)


def test_a_comment_may_be_of_any_length() -> None:
    assert record_in("#" + '"' * 2 * LONGEST_LINE + "\n" + BY_HAND) == record_in(BY_HAND)


@pytest.mark.parametrize("first", ["order 6-6", 'seat 0 "Anna"', "x", '[Event "Sunday"]', '[Table "x"]'])
def test_the_version_comes_before_anything_else(first: str) -> None:
    assert fault_in(f"\n{first}\n{BY_HAND}").startswith("line 1, column 1: This is not a Mexican Train record")


def test_a_version_that_no_format_has_is_not_repeated() -> None:
    assert "This record has format version 2" in str(fault_of({"mexican_train": 2}))
    unknown = "field mexican_train: The format version of this record is unknown."
    for version in (10**40, -1):
        fault = fault_of({"mexican_train": version})
        assert (str(fault), fault and fault.code) == (unknown, FaultCode.UNKNOWN_VERSION)


def test_no_bot_s_level_is_another_word_of_its_line() -> None:
    """Or ``bot forfeited`` would be read as a level."""
    said = BY_HAND.replace('seat 1 "Bob"', 'seat 1 "Bob" bot forfeited')
    assert fault_in(said) == 'line 11, column 1: "forfeited" is not a bot\'s level.'
    forfeited = record_in(BY_HAND.replace('seat 1 "Bob"', 'seat 1 "Bob" bot easy forfeited'))
    assert forfeited.seats[1] == RecordedSeat("Bob", "bot", "easy", is_forfeited=True)
    document = document_of(forfeited)
    document["seats"][1]["level"] = "forfeited"
    assert fault_of(document) is not None


# JSON


def in_round(name: str, value: Any) -> Change:
    return lambda document: document["rounds"][0].update({name: value})


def in_whole(name: str, value: Any) -> Change:
    return lambda document: document.update({name: value})


def in_move(name: str, value: Any) -> Change:
    return lambda document: document["rounds"][0]["moves"][0].update({name: value})


WRONG_DOCUMENTS: list[tuple[Change, str | None, str]] = [
    (in_round("client_seeds", 0), "rounds.0.client_seeds", "is not a list"),
    (in_round("client_seeds", ""), "rounds.0.client_seeds", "is not a list"),
    (lambda document: document["seats"][0].update({"name": "An\u202ena"}), "seats.0.name", "control characters"),
    (lambda document: document["seats"][0].update({"name": "An\x1bna"}), "seats.0.name", "control characters"),
    (in_whole("more", 1), "more", '"more" is not among mexican_train'),
    (in_whole("\ud800", 1), "\\ud800", '"\\ud800" is not among'),
    (in_whole("headers", []), "headers", "a list is not an object."),
    (in_whole("headers", {"Table": "x"}), "headers.Table", "cannot be a keyword of the format"),
    (in_whole("headers", {"x": 1.5}), "headers.x", "a fraction is not a string."),
    (in_whole("seats", {}), "seats", "an object is not a list."),
    (in_whole("seats", [1]), "seats.0", "1 is not an object."),
    (in_whole("seats", [1] * 13), "seats", "A table has at most 12 seats."),
    (in_whole("headers", dict.fromkeys(map(str, range(51)))), "headers", "The record has 51 headers; at most 50"),
    (in_whole("winners", [0] * 4), "winners", "There are more winners than seats."),
    (in_whole("winners", ["x"] * 4), "winners", "There are more winners than seats."),
    (in_round("order", ["x"] * (MOST_TILES + 1)), "rounds.0.order", "No set has that many tiles."),
    (in_round("points", ["x"] * 4), "rounds.0.points", "There are 4 values for 3 seats; give one for each seat."),
    (in_whole("options", 7), "options", "7 is not an object."),
    (in_whole("rounds", None), "rounds", "null is not a list."),
    (in_whole("finished", "no"), "finished", '"no" is neither true nor false.'),
    (in_whole("engine_version", True), "engine_version", "true is not an integer"),
    (in_whole("winners", [True]), "winners.0", "true is not a seat"),
    (in_round("number", 2), "rounds.0.number", "This is round 1, not 2."),
    (in_round("engine", 6), "rounds.0.engine", "6 is not a string."),
    (in_round("points", [2**40, 0, 0]), "rounds.0.points.0", "is not an integer below 2³¹."),
    (in_round("points", [1, 1, 1]), "rounds.0.points", "The points should be"),
    (in_round("client_seeds", ["x"]), "rounds.0.client_seeds", "There is 1 value for 3 seats; give one for each seat."),
    (in_round("order", None), "rounds.0.order", "null is not a list."),
    (lambda document: document["rounds"][0].pop("order"), "rounds.0", "A round must have either an order"),
    (in_round("ended", "x" * 99), "rounds.0.ended", "…"),
    (in_move("number", 2), "rounds.0.moves.0.number", "This is move 1, not 2."),
    (in_move("move", "5-1>2 keep"), "rounds.0.moves.0", "add keep_marker to the move."),
    (in_move("by", None), "rounds.0.moves.0.by", "null is not one of"),
    (in_round("client_seeds", None), "rounds.0.client_seeds", "null is not a list."),
    (in_round("client_seeds", []), "rounds.0.order", "a different order"),
    (in_whole("finished", None), "finished", "null is neither true nor false."),
    (in_whole("engine_version", None), "engine_version", "null is not an integer"),
    (in_whole("preset", ""), "preset", '"" is not one of'),
]


@for_each(("change", "field", "said"), WRONG_DOCUMENTS)
def test_a_wrong_document_is_reported_with_its_field(change: Any, field: str | None, said: str) -> None:
    document = json.loads(json.dumps(document_of(FAIR)))
    change(document)
    fault = fault_of(document)
    assert (fault and fault.place.field) == field
    assert fault is None or said in fault.detail


@pytest.mark.parametrize("version", [0, -1, 99])
def test_only_versions_of_the_rules_that_are_known_are_played(version: int) -> None:
    document = document_of(FAIR) | {"engine_version": version}
    fault = fault_of(document)
    assert fault is not None
    assert (fault.code, fault.place.field) == ("unknown_rules", "engine_version")


@pytest.mark.parametrize(
    ("change", "code", "field"),
    [({"winners": [0, 1, 2]}, "wrong_winners", "winners"), ({"finished": False}, "not_unfinished", "finished")],
)
def test_a_fault_of_the_whole_match_is_reported_with_its_field(change: dict[str, Any], code: str, field: str) -> None:
    fault = fault_of(document_of(FAIR) | change)
    assert fault is not None
    assert (fault.code, fault.place.field) == (code, field)


def test_options_of_another_preset_are_refused() -> None:
    document = document_of(record_of_match(stored("official_d18")))
    assert fault_of(document) is None
    fault = fault_of(document | {"preset": "classic"})
    assert fault is not None
    assert (fault.code, fault.place.field) == ("bad_option", "preset")
    assert "the preset official_d18, not of classic" in fault.detail


def test_options_that_equal_another_preset_are_written_as_that_preset() -> None:
    record = replace(record_of_match(stored("official_d18")), preset="classic")
    assert document_of(record)["preset"] == "official_d18"
    assert record_in(text_of(record)).preset == record_from(document_of(record)).preset == "official_d18"


def test_a_repeated_name_in_one_object_is_refused() -> None:
    text = json.dumps(document_of(FAIR)).replace('"finished": true', '"finished": false, "finished": true')
    assert fault_in(text) == 'The name "finished" occurs twice in one object.'


@pytest.mark.parametrize("text", ['{"mexican_train": 1,', "{" + "9" * 5000 + "}", '{"a": ' + "9" * 5000 + "}"])
def test_a_text_that_begins_like_json_must_be_json(text: str) -> None:
    assert "This is not valid JSON" in fault_in(text)


def test_json_that_is_nested_too_deeply_is_refused() -> None:
    assert fault_in('{"a":' * 100_000) == "The JSON is nested too deeply."


# The fewest options


@pytest.mark.parametrize(
    ("preset", "overrides"),
    [
        ("classic", {}),
        ("classic", {"set_max_pip": 15, "engine_first": 12}),
        ("classic", {"set_max_pip": 9, "rounds": 3}),
        ("official_d9", {"engine_first": 4, "rounds": 5}),
        ("official_d9", {"set_max_pip": 6, "rounds": 7}),
        ("official_d9", {"set_max_pip": 15, "engine_first": 12}),
        ("tapper", {"announce": "off"}),
    ],
)
def test_the_fewest_options_are_written(preset: str, overrides: dict[str, object]) -> None:
    options = options_over(preset, overrides)
    said = overrides_over(preset, options)
    assert options_over(preset, said) == options
    assert len(said) <= len(overrides)


def test_a_record_writes_its_options_over_another_preset_too() -> None:
    record: Record = replace(FAIR, preset="tapper")
    assert record_in(text_of(record)) == record


@pytest.mark.parametrize("body", [47, "x", None, [], 1.5, True])
def test_a_document_that_is_not_an_object_is_not_a_record(body: object) -> None:
    with pytest.raises(BadRecord, match=r"^This is not a Mexican Train record: .+ is not an object\.$") as refusal:
        record_from(body)
    assert refusal.value.fault.code == "unreadable"


@pytest.mark.parametrize("name", ["seats", "rounds"])
def test_a_field_that_is_missing_is_called_missing(name: str) -> None:
    document: Any = document_of(record_of_match(stored("lowest_total")))
    del document[name]
    with pytest.raises(BadRecord, match=f"^field {name}: {name} is missing.$"):
        record_from(document)


@pytest.mark.parametrize("name", ["move", "seat"])
def test_a_part_of_a_move_that_is_missing_is_called_missing(name: str) -> None:
    document: Any = document_of(record_of_match(stored("lowest_total")))
    del document["rounds"][0]["moves"][0][name]
    with pytest.raises(BadRecord, match=rf"^field rounds\.0\.moves\.0\.{name}: {name} is missing.$"):
        record_from(document)


def test_a_record_without_seats_says_so() -> None:
    with pytest.raises(BadRecord, match=r"^line 1, column 1: The record has no seats\.$"):
        record_in('[MexicanTrain "1"]\n[Event "x"]')


@pytest.mark.parametrize("cut", [1, 2, 5])
@pytest.mark.parametrize("form", ["json", "text"])
def test_an_unfinished_round_is_reported_with_its_own_number(form: str, cut: int) -> None:
    """Though the numbers of the next round's moves no longer fit."""
    document: Any = document_of(record_of_match(stored("lowest_total")))
    moves = document["rounds"][1]["moves"]
    first, left = moves[0]["number"], len(moves) - cut
    del moves[left:]
    record = record_from(document) if form == "json" else record_in(with_own_numbers(document))
    fault = first_fault(record)
    assert fault is not None
    assert (fault.code, fault.place.round, fault.place.number) == ("round_not_over", 2, first + left)


def with_own_numbers(document: dict[str, Any]) -> str:
    """The record as text, each move in a line with the number that it has in the document."""
    text = text_of(record_from(document))
    lines = [line for line in text.splitlines() if not line[:1].isdigit()]
    for played in reversed(document["rounds"]):
        at = lines.index(f"round {played['number']}") + 1
        at = next(place for place in range(at, len(lines)) if lines[place].startswith("ended"))
        keeps = [(each, " keep" if each.get("keep_marker") else "") for each in played["moves"]]
        lines[at:at] = [f"{each['number']}. {each['seat']}: {each['move']}{keep}" for each, keep in keeps]
    return "\n".join(lines)


def test_a_wrong_number_is_still_found() -> None:
    document = document_of(record_of_match(stored("lowest_total")))
    document["rounds"][1]["moves"][3]["number"] += 1
    fault = first_fault(record_from(document))
    assert fault is not None
    assert (fault.code, fault.place.round) == ("wrong_number", 2)


def test_an_empty_list_of_winners_is_written_as_nobody() -> None:
    fault = first_fault(replace(record_of_match(stored("lowest_total")), winners=()))
    assert fault is not None
    assert fault.detail.endswith("not nobody.")


def test_options_are_read_back_from_their_json() -> None:
    rules = rules_of("official_d9", {})
    assert recorded_options(rules.as_dict()) == rules
