"""Every message has a Dutch and a Hungarian translation, and every text for people is a message."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from string import Formatter

import polib
import pytest

from tests.cases import for_each
from words import LOCALE, OTHERS
from words.collect import PROJECT, ROOMS, found_in, renewed, sources, template_catalogue

CATALOGUES = {source.parts[-3]: polib.pofile(str(source)) for source in sources()}
ENTRIES = [(language, entry) for language, catalogue in CATALOGUES.items() for entry in catalogue]
PERCENT = re.compile(r"%(?:\(\w+\))?[sd]")
MARKS = {"_", "gettext", "gettext_lazy", "gettext_noop", "ngettext", "ngettext_lazy", "Sentence", "Counted"}
SAME_IN_BOTH = {
    "{tiles}.",
    "{can}.",
    "{question} {a}: {words_a} {b}: {words_b}",
    "{place}: {fault}",
    "{option}: {fault}",
    "{name}: {tiles}, {points}.",
    "{where}: {tile}",
    "Marker",
    "Markers",
}
"""Nothing but values, which other languages have in the same order, and a word that Dutch has taken over."""
ONLY_COUNTED = "Expected available in {wait} seconds."
"""DRF asks for its two forms apart; Hungarian has one."""
OF_MEXICAN_TRAIN = "tables/presenters/mexican_train"
NOT_WRITTEN_OUT = {
    (
        "tables/presenters/mexican_train/narration.py",
        "Sentence(OTHERS_DO[type(happened.move)])",
    ): "marked in the same file",
    (f"{OF_MEXICAN_TRAIN}/narration.py", "Sentence(READER_DOES[type(happened.move)])"): "the same",
    (
        "tables/presenters/mexican_train/position_text.py",
        "Sentence(MAY_DO[type(parse_move(legal['move']))])",
    ): "the same",
    ("players/names.py", "gettext(fault.detail)"): "marked in the same file",
    ("rest/problem_documents.py", "gettext(TITLES[status])"): "a table in the same file, whose entries are marked",
    ("rest/problems.py", "gettext(type(self).detail)"): "marked where the class is",
    (
        "tables/presenters/mexican_train/drawing/words.py",
        "_(ENDINGS[scene.ended_reason])",
    ): "a table in the same file, whose entries are marked",
    ("rules/mexican_train/bots/words.py", "Sentence(template_of(grounds))"): "tables that are read whole",
    ("rules/mexican_train/bots/words.py", "Sentence(word)"): "a table that is read whole, or a number",
    ("rules/records/checking.py", "Sentence(reason.sentence)"): "a table that is read whole",
    ("rules/records/checking.py", "Sentence(template)"): "the same",
    ("rules/records/json_form.py", "Sentence(NUMBERED[what])"): "the same",
    ("rules/sentences.py", "Sentence(template)"): "sentences one after another",
    ("rules/sentences.py", "Sentence(text)"): "options and the lines of the sheet, which are read whole",
    ("rules/mexican_train/sheet.py", "Counted(ONE_EACH)"): "read with the tables",
    ("rules/mexican_train/sheet.py", "Sentence(title)"): "the same",
    ("rules/mexican_train/options/hand_sizes.py", "Sentence(first)"): "a number",
    ("rules/mexican_train/options/kinds.py", "Counted(self.one)"): "options, which are read whole",
    ("tables/translating.py", "gettext(sentence.template)"): "where sentences are told",
    ("tables/translating.py", "gettext(text)"): "the same",
    ("tables/translating.py", "ngettext(sentence.one)"): "the same",
}
"""Where a text comes from that is not written where it is marked."""


@cache
def template() -> polib.POFile:
    return template_catalogue()


def translations(entry: polib.POEntry) -> list[tuple[str, str]]:
    """Each form of a message with its translation."""
    if not entry.msgid_plural:
        return [(entry.msgid, entry.msgstr)]
    return [(entry.msgid, entry.msgstr_plural[0]), (entry.msgid_plural, entry.msgstr_plural[1])]


def placeholders(text: str) -> set[str]:
    named = {f"{name}:{form}" for _, name, form, _ in Formatter().parse(text) if name is not None}
    return named | set(PERCENT.findall(text))


@pytest.mark.parametrize("language", OTHERS)
def test_every_message_of_the_code_is_in_the_catalogue_and_no_other(language: str) -> None:
    """To correct it: ``make messages``, and translate the new messages."""
    source = LOCALE / language / "LC_MESSAGES" / "django.po"
    assert str(renewed(source, template())) == str(polib.pofile(str(source), wrapwidth=120))


@pytest.mark.parametrize("language", OTHERS)
def test_no_message_is_missing_or_fuzzy(language: str) -> None:
    catalogue = CATALOGUES[language]
    assert [entry.msgid for entry in catalogue.untranslated_entries()] == []
    assert [entry.msgid for entry in catalogue.fuzzy_entries()] == []
    assert [entry.msgid for entry in catalogue.obsolete_entries()] == []
    assert len(catalogue) > 400


@for_each(("language", "entry"), ENTRIES)
def test_a_translation_keeps_the_placeholders_and_the_final_punctuation(language: str, entry: polib.POEntry) -> None:
    for text, told in translations(entry):
        assert placeholders(told) == placeholders(text)
        assert sorted(re.findall("`.*?`", told)) == sorted(re.findall("`.*?`", text))
        assert told.strip() == told
        assert "  " not in told
        assert (told[-1] in ".:?") == (text[-1] in ".:?"), told
        assert told != text or entry.msgid in SAME_IN_BOTH


@pytest.mark.parametrize("language", OTHERS)
def test_no_two_messages_have_the_same_translation(language: str) -> None:
    told: dict[str, list[str]] = {}
    for entry in CATALOGUES[language]:
        if entry.msgid == ONLY_COUNTED:
            continue
        told.setdefault(entry.msgstr or str(entry.msgstr_plural), []).append(entry.msgid)
    assert {text: texts for text, texts in told.items() if len(texts) > 1} == {}


def marked_calls() -> Iterator[tuple[str, ast.Call]]:
    for room in ROOMS:
        for path in sorted((PROJECT / room).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text())):
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in MARKS:
                    yield path.relative_to(PROJECT).as_posix(), node


def beginning(call: ast.Call) -> str:
    return f"{ast.unparse(call.func)}({ast.unparse(call.args[0])})"


def is_literal(call: ast.Call) -> bool:
    first = call.args[0]
    return isinstance(first, ast.Constant) and isinstance(first.value, str)


def test_every_marked_text_is_a_literal_or_is_in_a_table() -> None:
    hidden = {(path, beginning(call)) for path, call in marked_calls() if not is_literal(call)}
    assert hidden == set(NOT_WRITTEN_OUT)


def test_every_marked_literal_is_collected() -> None:
    known = {entry.msgid for entry in template()}
    literals = {ast.literal_eval(call.args[0]) for _, call in marked_calls() if is_literal(call)}
    assert literals <= known
    assert len(literals) > 80


def test_messages_are_found_in_python_however_they_are_marked() -> None:
    source = 'gettext("One " "text.")\nSentence("{n} more.", n=1)\nCounted("{n} tile", "{n} tiles", n)\nother("No.")\n'
    assert [(each.one, each.many) for each in found_in(source, "x.py")] == [
        ("One text.", ""),
        ("{n} more.", ""),
        ("{n} tile", "{n} tiles"),
    ]


def test_new_messages_are_empty_and_unused_ones_are_removed(tmp_path: Path) -> None:
    source = tmp_path / "nl" / "LC_MESSAGES" / "django.po"
    source.parent.mkdir(parents=True)
    old = polib.POFile()
    old.append(polib.POEntry(msgid="Kept.", msgstr="Gebleven."))
    old.append(polib.POEntry(msgid="Gone.", msgstr="Weg."))
    old.save(str(source))
    template = polib.POFile()
    template.extend([polib.POEntry(msgid="New."), polib.POEntry(msgid="Kept.")])
    assert [(each.msgid, each.msgstr) for each in renewed(source, template)] == [("New.", ""), ("Kept.", "Gebleven.")]
