"""The API for webhooks."""
