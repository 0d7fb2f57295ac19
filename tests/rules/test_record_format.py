"""The examples of ``docs/record-format.md`` are correct records, and its statements hold."""

import re
from pathlib import Path

import pytest

from rules.records.checking import check_record, first_fault
from rules.records.json_form import LONGEST_HEADER, LONGEST_NAME, MOST_HEADERS, ROUND, WHOLE
from rules.records.record import VERSION, BadRecord, FaultCode
from rules.records.text_form import LINES, LONGEST_LINE, MOST_LINES, MOST_WORDS, record_in, text_of

PAGE = (Path(__file__).parents[2] / "docs" / "record-format.md").read_text()
BY_HAND, FROM_SERVER = re.findall(r"```record\n(.*?)```", PAGE, re.DOTALL)


def test_the_match_written_by_hand_is_correct() -> None:
    found = check_record(record_in(BY_HAND))
    assert (found.record.winners, found.totals, found.move_count, found.fair) == ((1,), (8, 0), 18, "not_stated")
    assert found.record.rounds[0].engine == 6
    assert dict(found.record.headers)["Annotator"] == "Bob"


def test_the_match_from_a_server_is_correct_and_fair() -> None:
    found = check_record(record_in(FROM_SERVER))
    assert (found.record.winners, found.totals, found.fair) == ((1,), (13, 0, 8), "verified")
    assert [made.by for made in found.record.rounds[0].moves][:3] == ["bot", "person", "timeout"]


def test_a_server_writes_the_match_in_the_same_way() -> None:
    assert text_of(check_record(record_in(FROM_SERVER)).record) == FROM_SERVER


def test_the_fault_of_the_page_is_reported_in_the_same_words() -> None:
    wrong = BY_HAND.replace("2. 1: 6-2>1", "2. 1: 6-4>1")
    fault = first_fault(record_in(wrong))
    told = re.findall(r"```text\n(round 1, move 2.*)\n```", PAGE)
    assert [str(fault)] == told


def test_every_line_and_every_member_is_described() -> None:
    grammar = PAGE[PAGE.index("record    =") : PAGE.index("**Headers.**")]
    assert [word for word in LINES if f"'{word}'" not in grammar] == []
    described = PAGE[PAGE.index("## The JSON") :]
    assert [name for name in (*WHOLE, *ROUND) if not re.search(rf"\b{name}\b", described)] == []


def test_every_fault_is_described() -> None:
    listed = set(re.findall(r"`(\w+)`", PAGE[PAGE.index("| code |") : PAGE.index("A record that is in order")]))
    assert listed == {code.value for code in FaultCode}


def test_the_limits_and_the_version_are_those_of_the_code() -> None:
    text = " ".join(PAGE.split())
    assert f"At most {MOST_LINES} lines, of at most {LONGEST_LINE} characters and {MOST_WORDS} words" in text
    assert f"At most {MOST_HEADERS} headers, of at most {LONGEST_HEADER} characters." in text
    assert f"A name has at most {LONGEST_NAME} characters" in text
    assert f"The version is one number, now {VERSION}." in text


def test_a_higher_version_is_refused_by_its_number() -> None:
    with pytest.raises(BadRecord, match=r"^line 1, column 1: .* format version 2; the supported version is 1"):
        record_in(BY_HAND.replace('[MexicanTrain "1"]', '[MexicanTrain "2"]'))
