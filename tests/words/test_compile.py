"""Catalogues are compiled without gettext's own programs, and only when they have changed."""

import gettext
import os
from pathlib import Path

import pytest

from words.compile import compile_all

PO = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n\nmsgid "tile"\nmsgstr "kő"\n'


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "hu" / "LC_MESSAGES" / "django.po"
    path.parent.mkdir(parents=True)
    path.write_text(PO, encoding="utf-8")
    return path


def translation_in(source: Path) -> str:
    with source.with_suffix(".mo").open("rb") as made:
        return gettext.GNUTranslations(made).gettext("tile")


def test_it_works(tmp_path: Path, source: Path) -> None:
    assert compile_all(tmp_path) == [source.with_suffix(".mo")]
    assert translation_in(source) == "kő"
    assert sorted(path.name for path in source.parent.iterdir()) == ["django.mo", "django.po"]


def test_a_current_catalogue_is_not_compiled_again(tmp_path: Path, source: Path) -> None:
    compile_all(tmp_path)
    assert compile_all(tmp_path) == []


def test_a_changed_catalogue_is_compiled_again(tmp_path: Path, source: Path) -> None:
    compile_all(tmp_path)
    source.write_text(PO.replace("kő", "dominó"), encoding="utf-8")
    later = source.with_suffix(".mo").stat().st_mtime_ns + 1
    os.utime(source, ns=(later, later))
    assert compile_all(tmp_path) == [source.with_suffix(".mo")]
    assert translation_in(source) == "dominó"


def test_fuzzy_translations_are_not_used(tmp_path: Path, source: Path) -> None:
    source.write_text(PO.replace('msgid "tile"', '#, fuzzy\nmsgid "tile"'), encoding="utf-8")
    compile_all(tmp_path)
    assert translation_in(source) == "tile"
