"""Players who are told: addresses of their own that hear when it is their turn and when a table is over."""
