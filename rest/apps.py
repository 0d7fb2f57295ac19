"""The app's configuration. It registers the URL converter for ids before Django loads the URLs."""

from django.apps import AppConfig
from django.urls import register_converter

from rest.paths import IdConverter


class RestConfig(AppConfig):
    name = "rest"
    verbose_name = "Answered requests"

    def ready(self) -> None:
        register_converter(IdConverter, "id")
        from rest import components  # noqa: F401 - the import registers the extension in drf-spectacular
