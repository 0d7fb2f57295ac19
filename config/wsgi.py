"""The WSGI application, which is the entry point for the web server."""

import os

from django.core.wsgi import get_wsgi_application
from django.urls import get_resolver

from rest.bodies import NoBodyForHead, ReadChunkedBodies

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

application = NoBodyForHead(ReadChunkedBodies(get_wsgi_application()))
get_resolver().reverse_dict  # noqa: B018  # imports all views; otherwise each worker does so at its first request
