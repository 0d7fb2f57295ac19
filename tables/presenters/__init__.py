"""Builds the JSON of the API from snapshots and rows. Each caller gets only what they may see."""
