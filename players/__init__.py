"""Players: persons and bots, guests and accounts, and the tokens that they call with."""
