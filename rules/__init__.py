"""The rules of games with tiles, as functions from values to values: no Django, no clock, no randomness, no logging."""
