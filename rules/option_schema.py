"""All options as one JSON Schema (2020-12), each with its meaning, for whoever builds a form or writes a client."""

from rules.meanings import MEANINGS
from rules.option_kinds import KINDS
from rules.option_values import Schema

DIALECT = "https://json-schema.org/draft/2020-12/schema"


def option_schema() -> Schema:
    """What a table may set: any of the options of ``rules.md`` §5; one left out has the value of its preset.

    ``default`` is the rule of *classic*. What depends on other options is said in words: how high ``engine_first`` and
    ``rounds`` may be, and how many tiles can be dealt.
    """
    return {
        "$schema": DIALECT,
        "title": "The rules of a table",
        "description": "House rules by name. One that is left out is as in the preset; defaults are those of classic.",
        "type": "object",
        "properties": {option: kind.schema(MEANINGS[option]) for option, kind in KINDS.items()},
        "additionalProperties": False,
    }
