"""The error of this package: a sentence for the person at the keyboard."""


class LocalError(Exception):
    """An error that a person can correct. The message says what is wrong and what to do."""
