"""The WSGI application, which is the entry point for the web server."""

import os

from django.core.wsgi import get_wsgi_application

from rest.bodies import NoBodyForHead, ReadChunkedBodies

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

application = NoBodyForHead(ReadChunkedBodies(get_wsgi_application()))
