"""Addresses of the calls about who is calling."""

from django.urls import path

from players.api import views

urlpatterns = [
    path("players/guest", views.GuestView.as_view()),
    path("players/register", views.RegistrationView.as_view()),
    path("players/login", views.LoginView.as_view()),
    path("players/logout", views.LogoutView.as_view()),
    path("players/me", views.MeView.as_view()),
]
