"""Players in the admin."""

from typing import Any, ClassVar

from django import forms
from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.contrib.auth.forms import AdminPasswordChangeForm, BaseUserCreationForm, UserChangeForm
from django.core.exceptions import NON_FIELD_ERRORS, ValidationError
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext
from knox.models import AuthToken

from players import accounts
from players.models import Kind, Player
from players.names import BadName, in_one_form
from rest.admin import ChangedFieldsOnly, DeleteOnly
from rest.admin_actions import ConfirmedActions

admin.site.unregister(AuthToken)  # knox's admin can add and edit tokens; only the API may create them


class NamedForm(forms.ModelForm[Player]):
    """A form with a player's name. An admin may use a reserved name."""

    def clean_name(self) -> str:
        try:
            return in_one_form(self.cleaned_data["name"])
        except BadName as bad:
            raise ValidationError(str(bad), bad.code) from bad


class AccountForm(NamedForm, BaseUserCreationForm[Player]):
    """A new account: a person with a username and a password."""

    class Meta:
        model = Player
        fields = ("username", "name")
        field_classes = {"username": forms.CharField}


IF_INACTIVE = (
    "If this is unticked, the player cannot call any more. Bots take over their seats in running matches, their seats "
    "at open tables become free, and open tables that they host are cancelled unless another person sits there. "
    "The action “make inactive” of the list says how many."
)


class PlayerForm(NamedForm, UserChangeForm[Player]):
    """The fields of a player that can be changed, unless the player has been deleted since the form was opened."""

    class Meta(UserChangeForm.Meta):
        model = Player
        field_classes = {"username": forms.CharField}
        help_texts = {"is_active": IF_INACTIVE}

    def clean(self) -> dict[str, Any] | None:
        must_be_kept(self.instance)
        return super().clean()


class PasswordForm(AdminPasswordChangeForm):  # type: ignore[type-arg]  # not generic at run time
    """Changes only the password. All tokens of the player end, so the player has to log in with the new password."""

    def clean(self) -> dict[str, Any] | None:
        must_be_kept(self.user, "password1")
        return super().clean()

    def save(self, commit: bool = True) -> Player:  # noqa: FBT001, FBT002 - Django's signature
        player: Player = super().save(commit=False)
        player.save(update_fields=("password",))
        accounts.end_tokens(player)
        return player


def must_be_kept(player: Player, field: str = NON_FIELD_ERRORS) -> None:
    """Raise ``ValidationError`` if the player is deleted. Needs a transaction.

    Locks the row, so that the player cannot be deleted before the commit.
    """
    if Player.objects.select_for_update().get(pk=player.pk).deleted_at:
        raise ValidationError({field: gettext("This player has deleted themself; there is nothing left to change.")})


@admin.register(Player)
class PlayerAdmin(ConfirmedActions, ChangedFieldsOnly, UserAdmin[Player]):
    """Staff may change players. Only a superuser may change who is staff, and their permissions."""

    form = PlayerForm
    add_form = AccountForm
    change_password_form = PasswordForm
    list_display = ("name", "kind", "level", "username", "is_staff", "is_active", "created_at")
    list_filter = ("kind", "is_staff", "is_active", "created_at")
    search_fields = ("name", "username", "id")
    ordering = ("-created_at", "-id")
    actions = ("make_inactive",)
    readonly_fields = ("id", "kind", "level", "created_at", "deleted_at", "last_login")
    rights: ClassVar = ("is_staff", "is_superuser", "groups", "user_permissions")
    fieldsets = (
        (None, {"fields": ("id", "name", "kind", "level", "username", "password")}),
        ("Admin", {"fields": ("is_active", *rights)}),
        ("Dates", {"fields": ("created_at", "last_login", "deleted_at")}),
    )
    add_fieldsets = ((None, {"fields": ("username", "name", "password1", "password2")}),)

    def get_readonly_fields(self, request: HttpRequest, obj: Player | None = None) -> Any:
        fields = super().get_readonly_fields(request, obj)
        return fields if request.user.is_superuser else (*fields, *self.rights)

    def has_change_permission(self, request: HttpRequest, obj: Player | None = None) -> bool:
        """Bots cannot be changed. Members of staff can be changed only by themselves and by superusers."""
        return super().has_change_permission(request, obj) and (obj is None or may_change(request.user, obj))

    def has_delete_permission(self, request: HttpRequest, obj: Player | None = None) -> bool:
        """Logs refer to players, so rows are not deleted. A player can delete their own data through the API."""
        return False

    @transaction.atomic
    def user_change_password(self, request: HttpRequest, id: str, form_url: str = "") -> HttpResponse:
        return super().user_change_password(request, id, form_url)

    def save_model(self, request: HttpRequest, obj: Player, form: Any, change: Any) -> None:
        super().save_model(request, obj, form, change)
        if "is_active" in form.changed_data and not obj.is_active:
            accounts.give_seats_on_after_commit(obj)
        if "name" in form.changed_data:
            accounts.show_new_name_after_commit(obj)

    @admin.action(description="Make the selected players inactive…", permissions=["change"])
    def make_inactive(self, request: HttpRequest, players: QuerySet[Player]) -> HttpResponse | None:
        chosen = [each for each in players if each.is_active and self.has_change_permission(request, each)]
        return self.confirm(
            request,
            chosen,
            accounts.make_inactive,
            question="These players can no longer log in, and their tokens end. Make them inactive?",
            done="Made inactive",
            consequences=lambda: accounts.consequences_of_inactivity(chosen),
        )


def may_change(keeper: Any, player: Player) -> bool:
    if player.kind == Kind.BOT:
        return False
    return keeper.is_superuser or keeper == player or not (player.is_staff or player.is_superuser)


@admin.register(AuthToken)
class AuthTokenAdmin(DeleteOnly):
    """The tokens of players. Deleting a row revokes its token. Only the hash of a token is stored."""

    list_display = ("token_key", "user", "created", "expiry")
    list_filter = ("created", "user__kind")
    list_select_related = ("user",)
    search_fields = ("user__name", "user__username")
    fields = ("user", "token_key", "created", "expiry")
    ordering = ("-created",)
