"""The clients in ``clients/``: what they decide by themselves. ``tests/acceptance`` runs them against a live server."""
