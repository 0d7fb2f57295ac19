"""The rules of Mexican Train as pure functions: no Django, no clock, no randomness, no logging."""

ENGINE_VERSION = 2
"""Increase this when the same options, order and moves can give another result.

A table keeps the version it began with.
"""
