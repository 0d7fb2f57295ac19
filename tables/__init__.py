"""Where players sit: tables, their seats, the log of their moves, and what each caller may see of it."""
