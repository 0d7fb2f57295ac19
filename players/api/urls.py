"""URLs of the API for players."""

from django.urls import path

from players.api import devices, views

urlpatterns = [
    path("players/guest", views.GuestView.as_view()),
    path("players/register", views.RegistrationView.as_view()),
    path("players/login", views.LoginView.as_view()),
    path("players/logout", views.LogoutView.as_view()),
    path("players/me", views.MeView.as_view()),
    path("players/me/handover", devices.OfferHandoverView.as_view()),
    path("players/handover", devices.HandoverView.as_view()),
    path("players/me/sessions", devices.SessionsView.as_view()),
    path("players/me/sessions/<id:session_id>", devices.SessionView.as_view()),
]
