"""Mexican Train and nothing else: values in, values out. No Django, no clock, no chance, no logging."""

ENGINE_VERSION = 2
"""Raised whenever the same options, order and moves could give another result; a table keeps the one it began with."""
