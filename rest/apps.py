"""The room's name to Django."""

from django.apps import AppConfig


class RestConfig(AppConfig):
    name = "rest"
    verbose_name = "Answered requests"
