"""The one error of this package: a sentence for the person at the keyboard."""


class LocalError(Exception):
    """Something a person can put right; the message says what is wrong and what to do."""
