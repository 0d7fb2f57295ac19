"""A whole server on one machine: PostgreSQL, Redis, web, worker and beat, started and stopped together."""

from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
