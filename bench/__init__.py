"""Measurements of the speed that we claim: `python -m local servers -- python -m bench`."""
