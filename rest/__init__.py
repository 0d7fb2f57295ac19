"""What every endpoint shares: problems, pages, idempotency, throttles, reading and refusing bodies."""
