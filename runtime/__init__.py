"""What all processes need: the state of the database, Redis, health, metrics, logs and uptime."""
