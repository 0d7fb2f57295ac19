"""Translates the texts of ``rules``, which are English, into the language of the request."""

from math import ceil

from django.utils.formats import number_format
from django.utils.translation import gettext, ngettext

from rules.sentences import Counted, Sentence


def translated(text: str) -> str:
    """Return a text of the rules in the language of the request.

    For a sentence with values, the template is translated and the values are filled in.
    """
    if not isinstance(text, Sentence):
        return gettext(text) if text else ""
    return template_of(text).format_map({name: value_translated(value) for name, value in text.values.items()})


def template_of(sentence: Sentence) -> str:
    if isinstance(sentence, Counted):
        return ngettext(sentence.one, sentence.many, ceil(sentence.amount))  # a fraction counts as the next integer
    return gettext(sentence.template)


def value_translated(value: object) -> object:
    if isinstance(value, float):
        return number_format(value, use_l10n=True)
    return translated(value) if isinstance(value, Sentence) else value
