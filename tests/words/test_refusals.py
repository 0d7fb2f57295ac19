"""Each problem and each fault of a record has its text in every language."""

import ast
import json
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pkgutil import walk_packages
from typing import Any

import pytest
from django.utils import translation

from rest.problem_documents import TITLES
from rest.problems import Problem
from rules.records.checking import first_fault
from rules.records.json_form import document_of, record_from
from rules.records.record import MOST_CHARACTERS, BadRecord, Fault, FaultCode
from rules.records.text_form import record_in
from rules.sentences import Counted, Sentence
from tables.refusals import MoveRefused
from tables.translating import template_of, translated
from tests.rest.operations import schema
from tests.rules.test_record import FAIR, WRONG_DEALS, WRONG_DOCUMENTS, WRONG_TEXTS
from tests.rules.test_record_format import BY_HAND, FROM_SERVER
from tests.words.test_catalogues import SAME_IN_BOTH
from words import OTHERS
from words.collect import PROJECT

ROOMS = ("players", "rest", "runtime", "tables", "webhooks")
OF_DRF = {"AuthenticationFailed", "NotFound", "ParseError", "PermissionDenied", "ValidationError"}
IN_PARTS = {"{part0}, {part1}", "{part0}, {part1}, {part2}", "{part0}, {part1}, {part2}, {part3}", "{part0}"}
"""What stands one after another, each told by itself."""


# Problems


@cache
def problems() -> frozenset[type[Problem]]:
    """All classes of problems in the packages that answer callers. Commands speak English."""
    for room in ROOMS:
        for each in walk_packages([str(PROJECT / room)], f"{room}."):
            if not {"migrations", "management"} & set(each.name.split(".")):
                import_module(each.name)
    return frozenset(each for each in below(Problem) if each.__module__.partition(".")[0] in ROOMS)


def below(kind: type[Problem]) -> Iterator[type[Problem]]:
    for each in kind.__subclasses__():
        yield each
        yield from below(each)


@pytest.mark.parametrize("language", OTHERS)
def test_every_problem_is_translated(language: str) -> None:
    assert len(problems()) > 60
    with translation.override(language):
        assert [each for each in problems() if translation.gettext(each.detail) == each.detail] == []


def test_every_problem_has_a_status_with_a_title() -> None:
    """But for 417, which the web server answers itself, in English."""
    assert {each.status for each in problems()} - TITLES.keys() == {417}


def test_every_code_is_in_the_schema() -> None:
    """A problem that no operation declares has a code that clients do not know."""
    known = set(schema()["components"]["schemas"]["ProblemCode"]["enum"])
    assert {each for each in problems() if getattr(each, "code", None) not in known} == {MoveRefused}


@cache
def spoken_by() -> frozenset[str]:
    """The names of the calls whose texts reach a caller: their texts must be marked."""
    return frozenset(each.__name__ for each in problems()) | OF_DRF


def plain_texts(source: str) -> Iterator[str]:
    """Unmarked texts in a refusal: those with a space, because codes have none."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and name_of(node.func) in spoken_by():
            yield from texts_in([*node.args, *(each.value for each in node.keywords)])


def name_of(called: ast.expr) -> str:
    return called.attr if isinstance(called, ast.Attribute) else ast.unparse(called)


def texts_in(nodes: list[ast.expr]) -> Iterator[str]:
    """Without the arguments of other calls, such as ``gettext``, and without identifiers."""
    for node in nodes:
        if isinstance(node, ast.Dict):
            yield from texts_in(node.values)
        elif isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and " " in str(node.value)):
            yield ast.unparse(node)


def test_no_refusal_has_an_untranslated_text() -> None:
    sources = [path for room in ROOMS for path in (PROJECT / room).rglob("*.py") if "management" not in path.parts]
    assert [(path.name, text) for path in sources for text in plain_texts(path.read_text())] == []


def test_an_untranslated_text_is_found() -> None:
    source = 'BodyTooLarge("Not now.")\nraise x.ValidationError({"field": f"Not {now}."})\nNotFound(gettext("No."))'
    assert list(plain_texts(source)) == ["'Not now.'", "f'Not {now}.'"]


# Records


@cache
def faults() -> list[Fault]:
    """One of every kind and more: whatever the tests of records find wrong with one."""
    texts = [BY_HAND.replace(part, other, 1) for part, other, _ in WRONG_TEXTS]
    texts += [FROM_SERVER.replace(part, other, 1) for part, other, _ in WRONG_DEALS]
    texts += [" " * (MOST_CHARACTERS + 1), "{", "{" + "9" * 5000 + "}", '{"a":' * 100_000]
    texts += [BY_HAND.replace("ended out 1", "0: draw\n" * 20_001), BY_HAND.replace('"1"', '"2"', 1)]
    unfinished = FROM_SERVER.replace("option rounds 1", "option rounds 2")
    texts.append(unfinished.replace("winners 1", "unfinished\nwinners 1"))
    documents = [changed(change) for change, _, said in WRONG_DOCUMENTS if said]
    return [fault_in(each) for each in [*texts, *documents]]


def changed(change: Any) -> Any:
    document = json.loads(json.dumps(document_of(FAIR)))
    change(document)
    return document


def fault_in(written: Any) -> Fault:
    try:
        found = first_fault(record_in(written) if isinstance(written, str) else record_from(written))
    except BadRecord as bad:
        return bad.fault
    assert found is not None, written
    return found


def untold(text: object) -> Iterator[str]:
    """The sentences in a sentence that stay in English."""
    if not isinstance(text, Sentence):
        return
    english = (text.one, text.many) if isinstance(text, Counted) else (text.template,)
    if template_of(text) in english and not {text.template, *english} & (SAME_IN_BOTH | IN_PARTS):
        yield text
    for value in text.values.values():
        yield from untold(value)


def test_every_kind_of_fault_of_a_record_is_tested() -> None:
    assert {fault.code for fault in faults()} == set(FaultCode)


@pytest.mark.parametrize("language", OTHERS)
def test_every_fault_of_a_record_is_translated(language: str) -> None:
    with translation.override(language):
        for fault in faults():
            assert isinstance(fault.detail, Sentence)
            assert list(untold(fault.sentence)) == []
            assert translated(fault.detail) != fault.detail
            assert translated(fault.sentence).endswith(translated(fault.detail))


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("nl", "ronde 1, zet 2, regel 19, kolom 7: 6-4>1 van plaats 1 is niet toegestaan: Die steen heeft deze speler"),
        ("hu", "1. forduló, 2. lépés, 19. sor, 7. oszlop: Szabálytalan lépés (6-4>1, hely: 1): Ez a kő nincs"),
    ],
)
def test_a_fault_is_a_whole_sentence_with_its_place(language: str, sentence: str) -> None:
    with translation.override(language):
        assert translated(fault_in(BY_HAND.replace("2. 1: 6-2>1", "2. 1: 6-4>1")).sentence).startswith(sentence)
