"""How the rules are written: options are read where they are declared, functions are short, every question is asked."""

import ast
import inspect
from collections.abc import Callable, Container, Iterable, Iterator
from dataclasses import fields
from pathlib import Path

import pytest

from rules.mexican_train.options import OPTIONS, SUBJECTS, Options
from rules.mexican_train.options.kinds import OneOf, SubsetOf
from rules.records.record import Record
from tables.models import Table
from webhooks import outbox

PROJECT = Path(__file__).parents[2]
ROOMS = ("rules", "tables", "webhooks", "players", "rest", "runtime", "config", "bench", "laboratory", "local", "words")
HOME = "rules/mexican_train/options/"
LONGEST = 40

WORDS = {
    value
    for kind in OPTIONS.values()
    if isinstance(kind, OneOf | SubsetOf)
    for value in kind.values
    if isinstance(value, str)
}
"""The values of options that are words; numbers and truths say nothing by themselves."""

SOMETHING_ELSE = {
    ("bench/crowd.py", "asked.rounds"): "how many rounds somebody wants to be measured",
    ("laboratory/printing.py", "found.rounds"): "how many rounds a comparison has played",
    ("rules/records/checking.py", "record.rounds"): "the rounds of a record",
    ("rules/records/checking.py", "self.record.rounds"): "the same",
    ("rules/records/json_form.py", "record.rounds"): "the rounds of a record",
    ("rules/records/text_form.py", "record.rounds"): "the same",
    ("tables/api/records.py", "found.record.rounds"): "the same",
    ("tables/management/commands/import_record.py", "found.record.rounds"): "the same",
    ("tables/records.py", "found.record.rounds"): "the same",
    ("tables/records.py", "table.rounds"): "the rows of a table's rounds",
    ("tables/notices.py", "outbox.announce"): "to have a message written to a webhook",
    ("tables/records.py", "record.rounds"): "the rounds of a record",
    ("tables/lobby/rematch.py", "changing.announce"): "to tell whom a change of the lobby concerns",
    ("tables/audit.py", "self.rounds"): "the rows of a table's rounds, loaded to be played again",
    ("tables/audit.py", "rows.rounds"): "the same",
    ("tables/audit.py", "walk.rows.rounds"): "the same",
    ("tables/lobby/starting.py", "table.rounds"): "the rows of a table's rounds",
    ("tables/presenters/rounds.py", "table.rounds"): "the rows of a table's rounds",
}
"""Attributes that are named like an option and are none."""

SHOWN = {
    ("rules/mexican_train/rulebook.py", "options.as_dict()['hand_sizes']"): "a document's table of hand sizes",
    (
        "rules/mexican_train/rulebook.py",
        "differences.pop('hand_sizes', None)",
    ): "which has its own line in that document",
}
"""Options taken out of their JSON by name: to show or to store them again, not to play by them."""


def sources(*rooms: str) -> Iterator[tuple[str, str]]:
    """Every file of these rooms but those of the options, by its path from the project's root."""
    for room in rooms:
        for name, source in files_under(room):
            if not name.startswith(HOME):
                yield name, source


def files_under(folder: str) -> Iterator[tuple[str, str]]:
    for path in sorted((PROJECT / folder).rglob("*.py")):
        yield path.relative_to(PROJECT).as_posix(), path.read_text()


def found_in(source: str, is_found: Callable[[ast.AST], bool]) -> set[str]:
    return {ast.unparse(node) for node in ast.walk(ast.parse(source)) if is_found(node)}


def found_in_rooms(rooms: Iterable[str], is_found: Callable[[ast.AST], bool]) -> set[tuple[str, str]]:
    """The files with the uses found in each."""
    return {(path, text) for path, source in sources(*rooms) for text in found_in(source, is_found)}


def is_option_read(node: ast.AST) -> bool:
    """An attribute named like an option, also one that ``getattr`` is asked for."""
    if isinstance(node, ast.Attribute):
        return node.attr in OPTIONS and isinstance(node.ctx, ast.Load)
    if isinstance(node, ast.Call) and ast.unparse(node.func) == "getattr":
        return is_word(node.args[1], OPTIONS)
    return False


def is_option_taken(node: ast.AST) -> bool:
    """A value taken by an option's name out of what holds it."""
    if isinstance(node, ast.Subscript):
        return is_word(node.slice, OPTIONS) and isinstance(node.ctx, ast.Load)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in ("get", "pop"):
        return any(is_word(each, OPTIONS) for each in node.args[:1])
    return False


def words_compared_in(source: str) -> set[str]:
    """The values of options that a file compares something with."""
    compared = [node for node in ast.walk(ast.parse(source)) if is_compared_with_a_value(node)]
    constants = {each.value for node in compared for each in ast.walk(node) if isinstance(each, ast.Constant)}
    return {word for word in WORDS if word in constants}


def is_compared_with_a_value(node: ast.AST) -> bool:
    """A comparison with a value of an option, alone or in a list, as a case, or as a key that is looked up."""
    match node:
        case ast.Compare():
            return any(holds_word(each, WORDS) for each in (node.left, *node.comparators))
        case ast.MatchValue():
            return is_word(node.value, WORDS)
        case ast.Subscript(value=ast.Dict(keys=keys)):
            return any(is_word(key, WORDS) for key in keys)
    return False


def holds_word(node: ast.expr, words: Container[object]) -> bool:
    inside = node.elts if isinstance(node, ast.Tuple | ast.List | ast.Set) else [node]
    return any(is_word(each, words) for each in inside)


def is_word(node: ast.AST | None, words: Container[object]) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value in words


def long_functions(source: str) -> list[str]:
    return [
        node.name
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and length(node) > LONGEST
    ]


def length(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    assert function.end_lineno is not None
    return function.end_lineno - function.lineno + 1


def questions() -> set[str]:
    every = {name for subject in (*SUBJECTS, Options) for name in vars(subject)}
    return {name for name in every if not name.startswith("_") and name not in OPTIONS}


def source_of(subject: type) -> str:
    return Path(inspect.getfile(subject)).read_text()


def asked_in(source: str) -> set[str]:
    return {node.attr for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Attribute)}


def test_no_option_is_read_outside_the_options() -> None:
    assert found_in_rooms(ROOMS, is_option_read) == set(SOMETHING_ELSE)


def test_other_uses_of_the_names_of_options_are_listed() -> None:
    assert {text.rpartition(".")[2] for _, text in SOMETHING_ELSE} == {"rounds", "announce"}
    assert callable(outbox.announce)
    assert "rounds" in Record.__dataclass_fields__
    assert Table._meta.get_field("rounds").one_to_many


def test_options_are_read_from_json_only_to_present_or_store_them() -> None:
    assert found_in_rooms(ROOMS, is_option_taken) == set(SHOWN)


def test_nothing_in_the_rules_is_compared_with_a_value_of_an_option() -> None:
    assert found_in_rooms(["rules"], is_compared_with_a_value) == set()


def test_the_checks_find_these_uses_in_the_options_themselves() -> None:
    """Proves that the three tests above can find something."""
    home = [source for _, source in files_under(HOME)]
    read = {text.rpartition(".")[2] for source in home for text in found_in(source, is_option_read)}
    assert read == set(OPTIONS)
    assert sum(len(found_in(source, is_compared_with_a_value)) for source in home) > 30
    assert any("values['set_max_pip']" in found_in(source, is_option_taken) for source in home)


@pytest.mark.parametrize("subject", SUBJECTS)
def test_an_option_is_read_in_the_file_that_declares_it(subject: type) -> None:
    declared = {each.name for each in fields(subject)}
    source = source_of(subject)
    assert {text.rpartition(".")[2] for text in found_in(source, is_option_read)} == declared
    values = {value for name in declared for value in OPTIONS[name].values if isinstance(value, str)}
    assert words_compared_in(source) <= values


def test_code_about_several_options_compares_none() -> None:
    source = source_of(Options)
    assert words_compared_in(source) == set()
    as_json = {"self.hand_sizes", "self.own_train_required_for"}
    assert found_in(source, is_option_read) == as_json


def test_no_function_of_the_rules_is_long() -> None:
    every = list(files_under("rules"))
    assert [(path, name) for path, source in every for name in long_functions(source)] == []
    assert len(every) > 20


def functions_that_change_a_state(source: str) -> set[str]:
    return {
        function.name
        for function in ast.walk(ast.parse(source))
        if isinstance(function, ast.FunctionDef) and any(map(is_change_of_state, ast.walk(function)))
    }


def is_change_of_state(node: ast.AST) -> bool:
    """Whether a field of a ``state``, or an item of such a field, is set."""
    return (
        isinstance(node, ast.Attribute | ast.Subscript)
        and not isinstance(node.ctx, ast.Load)
        and "state." in ast.unparse(node)
    )


def test_only_the_modules_of_transitions_change_a_state() -> None:
    changing = {path for path, source in files_under("rules") if functions_that_change_a_state(source)}
    assert changing == {"rules/mexican_train/transitions.py", "rules/mexican_train/turns.py"}


def test_every_question_of_the_options_is_used() -> None:
    asked = {name for _, source in sources("rules", "tables") for name in asked_in(source)}
    assert questions() - asked == set()
    assert len(questions()) > 40


@pytest.mark.parametrize(
    "offender",
    [
        "if options.draw_rule: pass",
        "def f(state):\n    return state.setup.options.must_play",
        "x = getattr(options, 'tie_break')",
        "async def f(o):\n    async with o.announce as it: pass",
        "match options:\n    case _ if options.rounds: pass",
    ],
)
def test_an_option_read_elsewhere_is_found(offender: str) -> None:
    assert len(found_in(offender, is_option_read)) == 1


@pytest.mark.parametrize("innocent", ["options.draw_rules", "table.announce = 1", "announce()", "getattr(x, 'name')"])
def test_other_names_are_not_reported(innocent: str) -> None:
    assert found_in(innocent, is_option_read) == set()


@pytest.mark.parametrize("offender", ["every['draw_rule']", "table.options.get('rounds', 1)", "o.pop('must_play')"])
def test_an_option_taken_by_its_name_is_found(offender: str) -> None:
    assert found_in(offender, is_option_taken) == {offender}


@pytest.mark.parametrize(
    "innocent", ["own['rounds'] = 3", "{'rounds': 3}", "options['draw']", "d.get(name)", "d.get()"]
)
def test_a_keyword_argument_or_another_key_is_not_reported(innocent: str) -> None:
    assert found_in(innocent, is_option_taken) == set()


@pytest.mark.parametrize(
    "offender",
    [
        "rule == 'until_playable'",
        "'covering' != rule",
        "rule in ('one', 'other')",
        "'mexican' in required",
        "match rule:\n    case 'table': pass",
        "match rule:\n    case 'x' | 'one_lap': pass",
        "{'lifts': True, 'blocks': False}[rule]",
    ],
)
def test_a_comparison_with_a_value_is_found(offender: str) -> None:
    assert len(found_in(offender, is_compared_with_a_value)) == 1


@pytest.mark.parametrize(
    "innocent", ["move == Ended.OUT", "rule == 'other'", "{'one': 1}", "sizes[2] == 15", "f('table')", "name == rule"]
)
def test_other_comparisons_are_not_reported(innocent: str) -> None:
    assert found_in(innocent, is_compared_with_a_value) == set()


@pytest.mark.parametrize("word", ["def", "async def"])
def test_a_function_of_one_line_too_many_is_found(word: str) -> None:
    lines = "    pass\n" * (LONGEST - 1)
    assert long_functions(f"{word} f():\n{lines}") == []
    assert long_functions(f"class C:\n    {word} g(self):\n" + (lines + "    pass\n").replace("    ", "        ")) == [
        "g"
    ]


def test_an_unused_question_is_found() -> None:
    assert "may_decline" in questions()
    assert "may_decline" in asked_in("state.setup.options.may_decline()")
    assert "may_decline" not in asked_in("def may_decline(self): return may_decline")
