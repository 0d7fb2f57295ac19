"""Tests that run over a list of cases: as one test for the whole list, or with most of the cases left to CI."""

import inspect
from collections.abc import Callable, Iterable
from functools import wraps
from typing import Any

import pytest
from _pytest.mark.structures import ParameterSet

Names = str | tuple[str, ...]


def for_each(names: Names, cases: Iterable[Any]) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Like ``pytest.mark.parametrize``, but as one test, which names all the cases that fail.

    For many small cases: reporting a test costs more than most of them. The cases share the test's fixtures.
    """
    every = list(cases)
    assert every
    keys = (names,) if isinstance(names, str) else names

    def decorate(test: Callable[..., None]) -> Callable[..., None]:
        @wraps(test)
        def test_all(**fixtures: Any) -> None:
            failures = [told for case in every if (told := failure(test, fixtures, keys, case))]
            if failures:
                pytest.fail("\n\n".join([f"{len(failures)} of {len(every)} cases fail.", *failures]), pytrace=False)

        signature = inspect.signature(test)
        fixtures = [each for name, each in signature.parameters.items() if name not in keys]
        test_all.__signature__ = signature.replace(parameters=fixtures)  # type: ignore[attr-defined]
        return test_all

    return decorate


def failure(test: Callable[..., None], fixtures: dict[str, Any], keys: tuple[str, ...], case: Any) -> str | None:
    """Run the test with one case. Return the case and its error, ``None`` if it passes."""
    values = (case,) if len(keys) == 1 else case
    try:
        test(**fixtures, **dict(zip(keys, values, strict=True)))
    except (Exception, pytest.fail.Exception) as error:  # noqa: BLE001  # the other cases are tried too
        return f"{values!r:.200}\n{type(error).__name__}: {error}"
    return None


def slow_after(quick: int, cases: Iterable[Any]) -> list[ParameterSet]:
    """The cases for ``parametrize``, of which only the first ones run in ``make test``. The others are marked slow."""
    return [parameters(case, is_slow=number >= quick) for number, case in enumerate(cases)]


def parameters(case: Any, *, is_slow: bool) -> ParameterSet:
    marks = [pytest.mark.slow] if is_slow else []
    if isinstance(case, ParameterSet):
        return pytest.param(*case.values, id=case.id, marks=[*case.marks, *marks])
    return pytest.param(*case, marks=marks) if isinstance(case, tuple) else pytest.param(case, marks=marks)
