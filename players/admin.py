"""Players in the admin."""

from django import forms
from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.contrib.auth.forms import BaseUserCreationForm
from django.http import HttpRequest
from knox.models import AuthToken

from players.models import Player
from rest.admin import AskOnlyWhatIsOffered

admin.site.unregister(AuthToken)  # knox's own lets tokens be added and edited, which only the API can do


class AccountForm(BaseUserCreationForm[Player]):
    """A new account: a person with a username and a password."""

    class Meta:
        model = Player
        fields = ("username", "name")
        field_classes = {"username": forms.CharField}


@admin.register(Player)
class PlayerAdmin(AskOnlyWhatIsOffered, UserAdmin[Player]):
    add_form = AccountForm
    list_display = ("name", "kind", "level", "username", "is_staff", "is_active", "created_at")
    list_filter = ("kind", "level", "is_staff", "is_active", "created_at")
    search_fields = ("name", "username", "id")
    ordering = ("-created_at",)
    readonly_fields = ("id", "kind", "level", "created_at", "deleted_at", "last_login")
    fieldsets = (
        (None, {"fields": ("id", "name", "kind", "level", "username", "password")}),
        ("Admin", {"fields": ("is_active", "is_staff", "is_superuser", "groups", "user_permissions")}),
        ("Dates", {"fields": ("created_at", "last_login", "deleted_at")}),
    )
    add_fieldsets = ((None, {"fields": ("username", "name", "password1", "password2")}),)

    def has_delete_permission(self, request: HttpRequest, obj: Player | None = None) -> bool:
        """Players sit in logs; they are made anonymous by their own wish, not deleted."""
        return False


@admin.register(AuthToken)
class AuthTokenAdmin(AskOnlyWhatIsOffered):
    """Who holds tokens; deleting one revokes it. The tokens themselves are kept nowhere."""

    list_display = ("token_key", "user", "created", "expiry")
    list_filter = ("created", "user__kind")
    list_select_related = ("user",)
    search_fields = ("user__name", "user__username")
    fields = readonly_fields = ("user", "token_key", "created", "expiry")
    ordering = ("-created",)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False
