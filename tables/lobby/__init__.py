"""Everything at a table that is not a move: opening it, sitting down, starting, leaving, ending, and rematches."""
