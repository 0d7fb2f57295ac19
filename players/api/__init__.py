"""Calls about who is calling."""
