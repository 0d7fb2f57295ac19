"""Messages of Django and DRF without a Dutch or Hungarian translation of their own. They are translated here."""

from django.utils.translation import gettext_noop, ngettext_lazy

BORROWED = (
    gettext_noop("Must be a valid boolean."),
    gettext_noop("Not a valid string."),
    gettext_noop("Must be a valid UUID."),
    gettext_noop("Invalid input."),
    gettext_noop("Datetime value out of range."),
    gettext_noop("This dictionary may not be empty."),
    gettext_noop("Ensure this field has at least {min_length} elements."),
    gettext_noop("Ensure this field has no more than {max_length} elements."),
    gettext_noop("Surrogate characters are not allowed: U+{code_point:X}."),
    ngettext_lazy(
        "This password is too short. It must contain at least %d character.",
        "This password is too short. It must contain at least %d characters.",
        0,
    ),
)
