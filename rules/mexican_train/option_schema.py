"""All options as one JSON Schema (2020-12) with their meanings, for forms and clients."""

from rules.mexican_train.options import OPTIONS
from rules.mexican_train.options.kinds import Say, Schema

DIALECT = "https://json-schema.org/draft/2020-12/schema"
TITLE = "The rules of a table"
DESCRIPTION = "House rules by name. Omitted options keep their value in the preset; defaults are those of classic."


def option_schema(say: Say = str) -> Schema:
    """The schema of a table's options (``rules.md`` §5).

    An option left out has the value of its preset. ``default`` is the *classic* value. Limits that depend on other
    options are described in words: the highest ``engine_first`` and ``rounds``, and how many tiles can be dealt.
    ``say`` translates each text; by default the texts are English.
    """
    return {
        "$schema": DIALECT,
        "title": say(TITLE),
        "description": say(DESCRIPTION),
        "type": "object",
        "properties": {name: option.schema(say) for name, option in OPTIONS.items()},
        "additionalProperties": False,
    }
