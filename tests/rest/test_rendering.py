"""Answers are the same bytes as those of DRF's own renderer."""

from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from uuid import UUID

import pytest
from django.utils.functional import lazystr
from django.utils.safestring import mark_safe
from rest_framework.exceptions import ErrorDetail
from rest_framework.renderers import JSONRenderer

from rest.rendering import FastJSONRenderer
from tests.cases import for_each

VALUES = {
    "nothing": None,
    "an empty object": {},
    "texts": {"name": "Zsófia", "said": 'a "quoted" \\ and\ta tab, \u0007, 🀰'},
    "numbers": [0, -1, 1.5, 1e300, 2**62, 2**70, True, None],
    "times": [datetime(2026, 12, 1, 14, 4, 26, 123456, UTC), date(2026, 12, 1), timedelta(seconds=90)],
    "an id": UUID(int=7),
    "a decimal number": Decimal("1.50"),
    "a tuple": (1, ("2",)),
    "a set of one": {1},
    "numbers as names": {1: "one", 2: {3: "three"}},
    "texts of their own types": [lazystr("later"), mark_safe("safe"), ErrorDetail("wrong", code="invalid")],
    "keys of their own types": {mark_safe("safe"): 1},
    "bytes": b"text",
}


@for_each("name", VALUES)
def test_the_bytes_are_those_of_drf(name: str) -> None:
    value = {"value": VALUES[name]}
    assert FastJSONRenderer().render(value) == JSONRenderer().render(value)


@pytest.mark.parametrize("media_type", ["application/json", "application/json; indent=2"])
def test_a_caller_may_ask_for_indentation(media_type: str) -> None:
    value = {"trains": [1, 2]}
    assert FastJSONRenderer().render(value, media_type) == JSONRenderer().render(value, media_type)


def test_nothing_is_an_empty_body() -> None:
    assert FastJSONRenderer().render(None) == b""


def test_what_json_does_not_have_is_refused() -> None:
    with pytest.raises(TypeError):
        FastJSONRenderer().render({"value": object()})
