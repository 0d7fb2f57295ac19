"""All URLs of the server."""

from django.contrib import admin
from django.urls import include, path, re_path
from drf_spectacular.views import SpectacularSwaggerView

from players import admin_passwords
from rest.error_pages import not_found, read_only
from rest.languages import in_english
from rest.schema_view import SchemaView
from runtime.health import healthz, readyz
from runtime.metrics import metrics
from tables.pages import front, invitation, invite, text

handler400 = "rest.error_pages.bad_request"
handler403 = "rest.error_pages.permission_denied"
handler404 = "rest.error_pages.not_found"
handler500 = "rest.error_pages.server_error"

admin.site.site_header = admin.site.site_title = "Mexican Train"
admin.site.index_title = "Tables and players"

urlpatterns = [
    path("api/v1/", include("tables.api.urls")),  # first, because most requests match here
    path("", front),
    path("join", invite, name="invite"),
    path("join/", invite),
    path("docs/<slug:name>.md", text, name="text"),
    path("join/<str:code>", invitation, name="invitation"),
    path("join/<str:code>/", invitation),
    path("healthz", read_only(healthz)),
    path("readyz", read_only(readyz)),
    path("metrics", read_only(metrics)),
    re_path(r"^admin/r/", not_found),  # Django's "view on site" links: no row has a page of its own
    path("admin/login/", admin_passwords.log_in),  # before the admin's own pages, which do not limit passwords
    path("admin/password_change/", admin_passwords.change_password),
    path("admin/", admin.site.urls),
    path("api/v1/schema", in_english(SchemaView.as_view()), name="schema"),
    path(
        "api/v1/docs",
        in_english(SpectacularSwaggerView.as_view(url_name="schema", throttle_classes=[])),
        name="docs",
    ),
    path("api/v1/", include("players.api.urls")),
    path("api/v1/", include("webhooks.api.urls")),
]
