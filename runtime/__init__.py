"""What the processes stand on: the state of the database, Redis, health, metrics, logs and uptime."""
