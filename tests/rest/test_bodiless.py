"""Answers without a body, such as 204 and 304, with every renderer.

Django's test client drops such a body, so requests of tests do not show it.
"""

from collections.abc import Iterator

import pytest
from django.urls import URLResolver, get_resolver
from rest_framework.renderers import BaseRenderer
from rest_framework.views import APIView

from tables.api.records import TEXT
from tests.cast import Caller
from tests.matches import begin
from tests.rest.wsgi import environ_of, through_wsgi


def views(resolver: URLResolver) -> Iterator[type[APIView]]:
    for each in resolver.url_patterns:
        if isinstance(each, URLResolver):
            yield from views(each)
        elif view := getattr(each.callback, "cls", None):
            yield view


def renderers() -> set[type[BaseRenderer]]:
    return {renderer for view in views(get_resolver()) for renderer in view.renderer_classes}


def test_no_renderer_makes_a_body_from_none() -> None:
    """The framework's own make none; streams render themselves."""
    makers = {each for each in renderers() if each.render is not BaseRenderer.render}
    ours = {each for each in makers if not each.__module__.startswith("rest_framework")}
    assert {each.media_type for each in ours} >= {TEXT, "image/svg+xml"}
    assert [each.__name__ for each in ours if each().render(None)] == []


@pytest.mark.parametrize("kind", ["application/json", TEXT])
def test_an_unchanged_position_has_no_body_in_any_media_type(alice: Caller, bob: Caller, kind: str) -> None:
    path = f"tables/{begin(alice, bob)['id']}/position"
    tag = alice.get(path, Accept=kind).headers["ETag"]
    headers = {"HTTP_ACCEPT": kind, "HTTP_IF_NONE_MATCH": tag, "HTTP_AUTHORIZATION": f"Bearer {alice.token}"}
    answer = through_wsgi(environ_of("GET", f"/api/v1/{path}") | headers)
    assert (answer.status, answer.text) == (304, "")
