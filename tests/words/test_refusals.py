"""Whatever is refused is told in every language: each refusal that is declared, and each fault of a record."""

import ast
import json
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from inspect import getmembers
from pkgutil import walk_packages
from typing import Any

import pytest
from django.utils import translation
from rest_framework.views import APIView

from rest.refusing import Refused, refusals_of
from rules.records.checking import first_fault
from rules.records.json_form import document_of, record_from
from rules.records.record import MOST_CHARACTERS, BadRecord, Fault, FaultCode
from rules.records.text_form import record_in
from rules.sentences import Counted, Sentence
from tables.telling import template_of, told
from tests.rules.test_record import FAIR, WRONG_DEALS, WRONG_DOCUMENTS, WRONG_TEXTS
from tests.rules.test_record_format import BY_HAND, FROM_SERVER
from tests.words.test_catalogues import SAME_IN_BOTH
from words import OTHERS
from words.collect import PROJECT

ROOMS = ("players", "rest", "runtime", "tables", "webhooks")
SAID_TO_PEOPLE = {
    "AuthenticationFailed",
    "NotFound",
    "ParseError",
    "PermissionDenied",
    "Refusal",
    "ValidationError",
    "refuse",
}
"""What a caller is told by: no text in it may be plain."""
IN_PARTS = {"{part0}, {part1}", "{part0}, {part1}, {part2}", "{part0}, {part1}, {part2}, {part3}", "{part0}"}
"""What stands one after another, each told by itself."""


# Refusals


@cache
def modules() -> list[Any]:
    """Those that answer callers; what is run by hand speaks English."""
    names = [each.name for room in ROOMS for each in walk_packages([str(PROJECT / room)], f"{room}.")]
    return [import_module(name) for name in names if not {"migrations", "management"} & set(name.split("."))]


def declared() -> Iterator[Refused]:
    for module in modules():
        for _, found in getmembers(module):
            if isinstance(found, Refused):
                yield found
            elif isinstance(found, type) and issubclass(found, APIView):
                handlers = (getattr(found, method, None) for method in found.http_method_names)
                yield from (refusal for said_by in (found, *handlers) for refusal in refusals_of(said_by))


def exceptions() -> set[Any]:
    """Those whose ``detail`` is read to people."""
    found = [each for module in modules() for _, each in getmembers(module)]
    return {each for each in found if isinstance(each, type) and issubclass(each, Exception) and "detail" in vars(each)}


@pytest.mark.parametrize("language", OTHERS)
def test_every_refusal_that_is_declared_is_told(language: str) -> None:
    found = set(declared())
    assert len(found) > 40
    with translation.override(language):
        assert [each for each in found if each.as_refusal().detail == each.sentence] == []


@pytest.mark.parametrize("language", OTHERS)
def test_every_exception_with_a_sentence_is_translated(language: str) -> None:
    sentences = [each.detail for each in exceptions()]
    assert len(sentences) > 30
    with translation.override(language):
        assert [each for each in sentences if translation.gettext(each) == each] == []


def plain_texts(source: str) -> Iterator[str]:
    """What is put into a refusal as it stands: texts with a blank in them, for codes have none."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and name_of(node.func) in SAID_TO_PEOPLE:
            yield from texts_in([*node.args, *(each.value for each in node.keywords)])


def name_of(called: ast.expr) -> str:
    return called.attr if isinstance(called, ast.Attribute) else ast.unparse(called)


def texts_in(nodes: list[ast.expr]) -> Iterator[str]:
    """But for what is given to another call, such as ``gettext``, and names of things."""
    for node in nodes:
        if isinstance(node, ast.Dict):
            yield from texts_in(node.values)
        elif isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and " " in str(node.value)):
            yield ast.unparse(node)


def test_nothing_is_refused_in_plain_english() -> None:
    sources = [path for room in ROOMS for path in (PROJECT / room).rglob("*.py") if "management" not in path.parts]
    assert [(path.name, text) for path in sources for text in plain_texts(path.read_text())] == []


def test_plain_english_would_be_seen() -> None:
    source = (
        'Refusal(409, "code", "Not now.")\nraise x.ValidationError({"field": f"Not {now}."})\nNotFound(gettext("No."))'
    )
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
    """The sentences in a sentence that are said as in English."""
    if not isinstance(text, Sentence):
        return
    english = (text.one, text.many) if isinstance(text, Counted) else (text.template,)
    if template_of(text) in english and not {text.template, *english} & (SAME_IN_BOTH | IN_PARTS):
        yield text
    for value in text.values.values():
        yield from untold(value)


def test_every_kind_of_fault_is_among_them() -> None:
    assert {fault.code for fault in faults()} == set(FaultCode)


@pytest.mark.parametrize("language", OTHERS)
def test_every_fault_of_a_record_is_told(language: str) -> None:
    with translation.override(language):
        for fault in faults():
            assert isinstance(fault.detail, Sentence)
            assert list(untold(fault.sentence)) == []
            assert told(fault.detail) != fault.detail
            assert told(fault.sentence).endswith(told(fault.detail))


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("nl", "ronde 1, zet 2, regel 19, kolom 7: 6-4>1 van plaats 1 is niet toegestaan: Die steen heeft deze speler"),
        ("hu", "1. forduló, 2. lépés, 19. sor, 7. oszlop: Szabálytalan lépés (6-4>1, hely: 1): Ez a kő nincs"),
    ],
)
def test_a_fault_is_a_whole_sentence_with_its_place(language: str, sentence: str) -> None:
    with translation.override(language):
        assert told(fault_in(BY_HAND.replace("2. 1: 6-2>1", "2. 1: 6-4>1")).sentence).startswith(sentence)
