"""All options as one JSON Schema (2020-12), each with its meaning, for whoever builds a form or writes a client."""

from collections.abc import Callable

from rules.meanings import MEANINGS, Meaning
from rules.option_kinds import KINDS
from rules.option_values import Schema

DIALECT = "https://json-schema.org/draft/2020-12/schema"
TITLE = "The rules of a table"
DESCRIPTION = "House rules by name. Omitted options keep their value in the preset; defaults are those of classic."


def option_schema(say: Callable[[str], str] = str) -> Schema:
    """What a table may set: any of the options of ``rules.md`` §5; one left out has the value of its preset.

    ``default`` is the rule of *classic*. What depends on other options is said in words: how high ``engine_first`` and
    ``rounds`` may be, and how many tiles can be dealt. ``say`` tells each text, in English unless it is given.
    """
    return {
        "$schema": DIALECT,
        "title": say(TITLE),
        "description": say(DESCRIPTION),
        "type": "object",
        "properties": {option: kind.schema(told(MEANINGS[option], say)) for option, kind in KINDS.items()},
        "additionalProperties": False,
    }


def told(meaning: Meaning, say: Callable[[str], str]) -> Meaning:
    return Meaning(say(meaning.option), {value: say(text) for value, text in meaning.values.items()})
