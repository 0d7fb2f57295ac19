"""Calls about tables: the lobby, playing, rounds."""
