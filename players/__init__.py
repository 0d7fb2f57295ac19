"""Who sits down: persons and bots, guests and accounts, and the tokens they call with."""
