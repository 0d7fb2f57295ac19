"""Whole matches through real processes: web server, worker, beat, PostgreSQL, Redis."""
