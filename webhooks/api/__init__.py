"""Calls about webhooks."""
