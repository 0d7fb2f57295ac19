"""The API for players: guests, accounts, sessions."""
