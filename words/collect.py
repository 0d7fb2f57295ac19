"""Bring the catalogues up to date with the code: ``python -m words.collect``, which is ``make messages``.

It collects the texts given to ``gettext`` and similar functions, to ``Sentence`` and to ``Counted``. It also collects
the texts that templates translate, and the tables of texts in the rules.
"""

import re
import sys
from collections.abc import Iterable, Iterator
from io import BytesIO
from pathlib import Path
from typing import NamedTuple

import polib
from babel.messages.extract import DEFAULT_KEYWORDS, extract
from django.utils.translation.template import templatize

from rules.mexican_train import option_schema, presets, reasons, sheet_lines
from rules.mexican_train.bots import BOTS
from rules.mexican_train.bots import words as grounds
from rules.mexican_train.options import OPTIONS, SUBJECTS
from rules.mexican_train.options.kinds import WholeNumber
from rules.records import checking, json_form
from rules.sentences import Sentence
from words import LOCALE, OTHERS

PROJECT = Path(__file__).parents[1]
ROOMS = ("players", "rest", "rules", "runtime", "tables", "webhooks")
KEYWORDS = {
    **DEFAULT_KEYWORDS,
    **dict.fromkeys(("gettext_lazy", "gettext_noop", "Sentence")),
    "ngettext_lazy": (1, 2),
    "Counted": (1, 2),
}
WIDTH = 120
HEADER = {
    "Project-Id-Version": "mexican-train",
    "MIME-Version": "1.0",
    "Content-Type": "text/plain; charset=UTF-8",
    "Content-Transfer-Encoding": "8bit",
    "Plural-Forms": "nplurals=2; plural=(n != 1);",
}


class Message(NamedTuple):
    """A text to translate, with its plural if it has one, and the file that contains it."""

    one: str
    many: str
    file: str


def messages() -> Iterator[Message]:
    """Every text that the server may present to people, in the order of the files."""
    for room in ROOMS:
        for path in sorted((PROJECT / room).rglob("*.py")):
            if "migrations" not in path.parts:
                yield from found_in(path.read_text(), path.relative_to(PROJECT).as_posix())
        for path in sorted((PROJECT / room).rglob("*.html")):
            yield from found_in(as_python(path.read_text()), path.relative_to(PROJECT).as_posix())
    yield from texts_of_rules()


def found_in(source: str, file: str) -> Iterator[Message]:
    """The marked texts of a Python file."""
    for _line, found, _comments, _context in extract("python", BytesIO(source.encode()), KEYWORDS):
        one, many = (found, "") if isinstance(found, str) else found[:2]
        yield Message(one, many, file)


def as_python(template: str) -> str:
    """A template as one line of Python that calls the same functions."""
    return re.sub(r"\n\s*", " ", templatize(template)).strip()


def texts_of_rules() -> Iterator[Message]:
    """The tables of texts in the rules. The texts are not marked there."""
    yield from plain("rules/mexican_train/reasons.py", reasons.SENTENCES.values())
    yield from plain("rules/records/json_form.py", json_form.NUMBERED.values())
    yield from plain("rules/records/checking.py", [text for _, text in checking.EXPECTED.values()])
    yield from texts_of_options()
    yield from plain("rules/mexican_train/option_schema.py", [option_schema.TITLE, option_schema.DESCRIPTION])
    yield from plain("rules/mexican_train/presets.py", [preset.title for preset in presets.ALL_PRESETS])
    yield from texts_of_sheet()
    yield from texts_of_bots()


def texts_of_options() -> Iterator[Message]:
    for name, option in OPTIONS.items():
        yield from plain(file_of(name), [option.question, *option.meanings.values()])
        if isinstance(option, WholeNumber):
            yield Message(option.one, option.many, file_of(name))


def file_of(option: str) -> str:
    """The file that declares an option."""
    (subject,) = [each for each in SUBJECTS if option in each.__annotations__]
    return f"{subject.__module__.replace('.', '/')}.py"


def texts_of_sheet() -> Iterator[Message]:
    for title, lines in sheet_lines.SECTIONS:
        yield Message(title, "", "rules/mexican_train/sheet_lines.py")
        for line in lines:
            if isinstance(line, sheet_lines.Fact):
                yield Message(line.text, "", "rules/mexican_train/sheet_lines.py")
            else:
                yield from plain(file_of(line.option), line.texts.values())
    yield Message(sheet_lines.ONE_EACH, sheet_lines.SEVERAL_EACH, "rules/mexican_train/sheet_lines.py")


def texts_of_bots() -> Iterator[Message]:
    yield from plain("rules/mexican_train/bots/__init__.py", [bot.likes for bot in BOTS.values()])
    for sentences in (grounds.SENTENCES, grounds.OF_SEVERAL, grounds.WITHOUT_TRAIN):
        yield from plain("rules/mexican_train/bots/words.py", sentences.values())
    yield from plain("rules/mexican_train/bots/words.py", [grounds.AS_GOOD, *grounds.NUMBERS])


def plain(file: str, texts: Iterable[str]) -> Iterator[Message]:
    return (Message(text.template if isinstance(text, Sentence) else text, "", file) for text in texts)


def template_catalogue() -> polib.POFile:
    """All messages, not yet translated. Each occurs once, with every file that contains it."""
    catalogue = polib.POFile(wrapwidth=WIDTH)
    catalogue.metadata = dict(HEADER)
    entries: dict[str, polib.POEntry] = {}
    for one, many, file in messages():
        if not one:
            continue
        entry = entries.setdefault(one, polib.POEntry(msgid=one))
        if many and not entry.msgid_plural:
            entry.msgid_plural, entry.msgstr_plural = many, {0: "", 1: ""}
        if (file, "") not in entry.occurrences:
            entry.occurrences.append((file, ""))
    catalogue.extend(entries.values())
    return catalogue


def renewed(source: Path, template: polib.POFile) -> polib.POFile:
    """A language's catalogue in the order of the messages. Removed messages are dropped, new ones are empty."""
    known = {entry.msgid: entry for entry in polib.pofile(str(source))} if source.exists() else {}
    catalogue = polib.POFile(wrapwidth=WIDTH)
    catalogue.metadata = HEADER | {"Language": source.parts[-3]}
    for entry in template:
        old = known.get(entry.msgid)
        is_same = old is not None and bool(old.msgid_plural) == bool(entry.msgid_plural)
        fresh = polib.POEntry(
            msgid=entry.msgid, msgid_plural=entry.msgid_plural, occurrences=entry.occurrences, comment=entry.comment
        )
        fresh.msgstr = old.msgstr if old and is_same else ""
        fresh.msgstr_plural = (old.msgstr_plural if old and is_same else None) or dict(entry.msgstr_plural)
        fresh.flags = list(old.flags) if old and is_same else []
        catalogue.append(fresh)
    return catalogue


def sources() -> list[Path]:
    return [LOCALE / language / "LC_MESSAGES" / "django.po" for language in OTHERS]


def main() -> None:
    """Write every catalogue, and print how many messages of each are left to translate."""
    template = template_catalogue()
    for source in sources():
        catalogue = renewed(source, template)
        source.parent.mkdir(parents=True, exist_ok=True)
        catalogue.save(str(source))
        missing = len(catalogue.untranslated_entries()) + len(catalogue.fuzzy_entries())
        sys.stdout.write(f"{source.relative_to(PROJECT)}: {len(catalogue)} messages, {missing} to translate.\n")


if __name__ == "__main__":
    main()
