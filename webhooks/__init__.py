"""Webhooks: messages to a player's own URLs when it is their turn and when a table is over."""
