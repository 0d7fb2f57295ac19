"""What we claim about speed, and how to measure it again: `python -m local servers -- python -m bench`."""
