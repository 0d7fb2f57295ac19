"""Code that all endpoints share: problems, pagination, idempotency, throttles, and validation of bodies."""
