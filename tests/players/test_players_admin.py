"""Players in the admin: which fields a form writes, who may change whom, and what happens to a player's seats."""

from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import Group, Permission
from django.test import Client
from django.urls import reverse
from knox.models import AuthToken

from players.accounts import bots_of, forget
from players.models import Player
from tables import tasks
from tables.models import Table
from tests.at_once import await_blocked, threads
from tests.cast import Caller, guest, open_table, position
from tests.players.conftest import PASSWORD

LIST = "admin:players_player_changelist"


def entered(player: Player) -> Client:
    client = Client()
    client.force_login(player)
    return client


@pytest.fixture
def keeper(db: None) -> Client:
    return entered(Player.objects.create_superuser("keeper", PASSWORD))


@pytest.fixture
def helper(db: None) -> Player:
    """Staff who may change players, and no more."""
    helper = Player.objects.create_user("helper", PASSWORD, name="Helper", is_staff=True)
    helper.user_permissions.add(*Permission.objects.filter(codename__in=("change_player", "view_player")))
    return helper


def page_of(player: Player, page: str = "admin:players_player_change") -> str:
    return reverse(page, args=[player.pk])


def opened(client: Client, page: str) -> dict[str, Any]:
    """What a browser would send if nothing were changed in the form on this page."""
    form = client.get(page).context["adminform"].form
    sent: dict[str, Any] = {}
    for bound in form:
        initial = bound.initial
        if initial not in (None, "", False) and not bound.field.disabled:
            sent[bound.html_name] = "on" if initial is True else initial
        sent[bound.html_initial_name] = "" if initial is None else initial
    return sent


def ticked(form: dict[str, Any], **fields: Any) -> dict[str, Any]:
    """The form with other fields; ``None`` clears one."""
    return {name: value for name, value in (form | fields).items() if value is not None}


def now(player: Player) -> Player:
    return Player.objects.get(pk=player.pk)


def test_a_field_changed_in_the_form_is_written(keeper: Client, dora: Caller) -> None:
    assert dora.player is not None
    page = page_of(dora.player)
    group = Group.objects.create(name="Club")
    form = ticked(opened(keeper, page), name="Theodora", is_staff="on", groups=[group.pk])
    assert keeper.post(page, form).status_code == 302
    after = now(dora.player)
    assert (after.name, after.username, after.is_staff, list(after.groups.all())) == ("Theodora", "dora", True, [group])


def test_a_form_does_not_undo_later_changes(keeper: Client, dora: Caller) -> None:
    assert dora.player is not None
    page = page_of(dora.player)
    form = ticked(opened(keeper, page), username="theodora")
    dora.patch("players/me", {"name": "Thea"})
    now(dora.player).groups.add(group := Group.objects.create(name="Club"))
    assert keeper.post(page, form).status_code == 302
    after = now(dora.player)
    assert (after.name, after.username, list(after.groups.all())) == ("Thea", "theodora", [group])


def test_a_form_does_not_undo_a_deletion(keeper: Client, dora: Caller) -> None:
    assert dora.player is not None
    page = page_of(dora.player)
    form = ticked(opened(keeper, page), name="Theodora")
    dora.delete("players/me")
    answer = keeper.post(page, form)
    assert "This player has deleted themself" in answer.content.decode()
    assert (now(dora.player).name, now(dora.player).is_active) == ("Deleted player", False)
    assert now(dora.player).username is None


def test_a_form_does_not_contain_the_hash_of_the_password(keeper: Client, dora: Caller) -> None:
    assert dora.player is not None
    page = keeper.get(page_of(dora.player)).content.decode()
    assert 'name="initial-username"' in page
    assert 'name="initial-password"' not in page
    assert now(dora.player).password not in page


def test_a_password_does_not_undo_a_deletion(keeper: Client, dora: Caller) -> None:
    assert dora.player is not None
    page = page_of(dora.player, "admin:auth_user_password_change")
    passwords = {"password1": "another-password", "password2": "another-password", "usable_password": "true"}
    assert keeper.post(page, passwords | {"set-password": "x"}).status_code == 302
    assert now(dora.player).check_password("another-password")
    assert dora.get("players/me").status == 401
    forget(dora.player)
    assert "This player has deleted themself" in keeper.post(page, passwords).content.decode()
    assert not now(dora.player).has_usable_password()


@pytest.mark.django_db(transaction=True)
def test_a_player_who_deletes_themself_while_a_form_is_saved(monkeypatch: pytest.MonkeyPatch) -> None:
    """The deletion waits for the form, and is not undone by it."""
    keeper = entered(Player.objects.create_superuser("keeper", PASSWORD))
    player = guest("Dora").player
    assert player is not None
    page = page_of(player)
    form = ticked(opened(keeper, page), name="Theodora")
    running: list[Any] = []
    save = Player.save
    with threads() as begin:

        def save_late(row: Player, **how: Any) -> None:
            if not running:
                running.append(begin(lambda: forget(player)))
                await_blocked(1)
            save(row, **how)

        monkeypatch.setattr(Player, "save", save_late)
        assert keeper.post(page, form).status_code == 302
        running[0].result(20)
    assert (now(player).name, now(player).is_active) == ("Deleted player", False)


def test_staff_cannot_give_themselves_rights(helper: Player, alice: Caller) -> None:
    client = entered(helper)
    group = Group.objects.create(name="Club")
    rights = {"is_superuser": "on", "is_staff": "on", "groups": [group.pk], "user_permissions": [1]}
    assert alice.player is not None
    for player in (helper, alice.player):
        page = page_of(player)
        assert client.post(page, ticked(opened(client, page), name="Renamed", **rights)).status_code == 302
        after = now(player)
        assert (after.name, after.is_superuser, after.is_staff) == ("Renamed", False, player == helper)
        assert not after.groups.exists()
    assert helper.user_permissions.count() == 2


@pytest.mark.parametrize("is_superuser", [True, False])
def test_staff_change_neither_a_superuser_nor_each_other(helper: Player, is_superuser: bool) -> None:
    other = Player.objects.create_user("o", PASSWORD, name="Other", is_staff=True, is_superuser=is_superuser)
    client = entered(helper)
    passwords = {"password1": "another-password", "password2": "another-password", "usable_password": "true"}
    assert client.get(page_of(other)).status_code == 200
    assert client.post(page_of(other), {"name": "Renamed", "username": "o"}).status_code == 403
    assert client.post(page_of(other, "admin:auth_user_password_change"), passwords).status_code == 403
    client.post(reverse(LIST), {"action": "make_inactive", "confirmed": "yes", "_selected_action": [str(other.pk)]})
    assert (now(other).name, now(other).is_active, now(other).check_password(PASSWORD)) == ("Other", True, True)


def test_bots_cannot_be_changed(keeper: Client) -> None:
    bot = bots_of("easy")[0]
    assert keeper.get(page_of(bot)).status_code == 200
    assert keeper.post(page_of(bot), {"name": "Bob", "username": "bob"}).status_code == 403
    assert keeper.get(page_of(bot, "admin:auth_user_password_change")).status_code == 403
    keeper.post(reverse(LIST), {"action": "make_inactive", "confirmed": "yes", "_selected_action": [str(bot.pk)]})
    assert (now(bot).name, now(bot).username, now(bot).is_active) == (bot.name, None, True)


def by_action(keeper: Client, player: Player) -> None:
    keeper.post(reverse(LIST), {"action": "make_inactive", "confirmed": "yes", "_selected_action": [str(player.pk)]})


def by_form(keeper: Client, player: Player) -> None:
    page = page_of(player)
    keeper.post(page, ticked(opened(keeper, page), is_active=None))


@pytest.mark.parametrize("stop", [by_action, by_form])
def test_a_bot_plays_the_seats_of_an_inactive_player(
    stop: Callable[[Client, Player], None],
    keeper: Client,
    playing: dict[str, Any],
    alice: Caller,
    bob: Caller,
    django_capture_on_commit_callbacks: Any,
) -> None:
    waiting = open_table(alice)
    assert alice.player is not None
    with django_capture_on_commit_callbacks(execute=True):
        stop(keeper, alice.player)
    assert not now(alice.player).is_active
    assert (now(alice.player).name, now(alice.player).deleted_at) == ("Alice", None)
    assert position(playing, bob)["seats"][0]["away"]
    assert Table.objects.get(pk=playing["id"]).host == bob.player
    assert Table.objects.get(pk=waiting["id"]).ended_reason == "host_left"


def test_only_the_active_are_made_inactive(keeper: Client, alice: Caller, bob: Caller) -> None:
    assert alice.player is not None
    assert bob.player is not None
    Player.objects.filter(pk=bob.player.pk).update(is_active=False)
    chosen = {"action": "make_inactive", "_selected_action": [str(alice.player.pk), str(bob.player.pk)]}
    assert "1 selected" in keeper.post(reverse(LIST), chosen).content.decode()
    done = keeper.post(reverse(LIST), chosen | {"confirmed": "yes"}, follow=True).content.decode()
    assert "Made inactive: 1 of 1." in done


def test_a_name_given_by_an_admin_is_shown_at_the_tables(
    keeper: Client, playing: dict[str, Any], alice: Caller, django_capture_on_commit_callbacks: Any
) -> None:
    assert alice.player is not None
    page, before = page_of(alice.player), Table.objects.get().version
    for name, versions in (("Zoe", 1), ("Zoe", 1)):
        with django_capture_on_commit_callbacks(execute=True) as callbacks:
            assert keeper.post(page, ticked(opened(keeper, page), name=name)).status_code == 302
        assert position(playing, alice)["seats"][0]["name"] == "Zoe"
        assert Table.objects.get().version == before + versions
    assert callbacks == [], "a name that stays as it was is not shown again"


def test_the_tidying_finishes_it_after_a_crash(playing: dict[str, Any], alice: Caller, bob: Caller) -> None:
    Player.objects.filter(name="Alice").update(is_active=False)
    tasks.tidy()
    assert position(playing, bob)["seats"][0]["away"]


def test_a_player_who_is_active_again_can_take_the_seat_back(
    keeper: Client, playing: dict[str, Any], alice: Caller
) -> None:
    Player.objects.filter(name="Alice").update(is_active=False)
    tasks.tidy()
    assert alice.player is not None
    page = page_of(alice.player)
    assert keeper.post(page, ticked(opened(keeper, page), is_active="on")).status_code == 302
    assert alice.post(f"tables/{playing['id']}/seats", {"seat": 0}).status == 200
    assert not position(playing, alice)["seats"][0]["away"]


def test_a_token_can_be_revoked_but_not_created_or_changed(keeper: Client, alice: Caller) -> None:
    token = AuthToken.objects.get()
    page = reverse("admin:knox_authtoken_change", args=[token.pk])
    assert keeper.get(page).status_code == 200
    assert keeper.post(page, {}).status_code == 403
    assert keeper.post(reverse("admin:knox_authtoken_delete", args=[token.pk]), {"post": "yes"}).status_code == 302
    assert alice.get("players/me").status == 401
