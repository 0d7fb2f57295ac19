"""URLs of the API for webhooks."""

from django.urls import path

from webhooks.api import views

WEBHOOK = "players/me/webhooks/<id:webhook_id>"

urlpatterns = [
    path("players/me/webhooks", views.WebhooksView.as_view()),
    path(WEBHOOK, views.WebhookView.as_view(), name="webhook"),
    path(f"{WEBHOOK}/test", views.WebhookTestView.as_view()),
]
