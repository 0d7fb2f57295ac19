"""``GET players/me/export``: everything that is stored about the caller, and nothing else."""

import json
from collections.abc import Iterable
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.apps import apps
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Group, Permission
from django.contrib.contenttypes.models import ContentType
from django.db.models import Model
from django.utils import timezone
from knox.models import AuthToken
from rest_framework.utils.encoders import JSONEncoder

from players.models import Handover, Player
from tables.export import KEPT_IN, NOT_ABOUT_PLAYERS
from tables.models import Round, Seat, StandIn, Table
from tests.cast import Caller, guest, open_table, play, start
from tests.rates import limit
from tests.rest.checks import check_refused
from tests.rest.operations import schema
from webhooks import addressbook, outbox
from webhooks.models import Disabled, Webhook

HIDDEN = {"password", "level", "groups", "user_permissions", "logentry", "auth_token_set", "token_uses", "handover"}
RELATED = {"webhooks", "hosted_tables", "seats"}
"""What the export has under other names, or leaves out because it is a secret."""


def exported(caller: Caller) -> dict[str, Any]:
    answer = caller.get("players/me/export")
    assert answer.status == 200, answer.text
    told: dict[str, Any] = answer.body
    return told


def name_of(model: type[Model]) -> str:
    return model._meta.label


def test_every_model_is_in_the_export_or_is_not_about_players() -> None:
    """A new model must be named in ``tables.export``: where the export has it, or why it is not about players."""
    models = {name_of(model) for model in apps.get_models()}
    assert {*KEPT_IN, *NOT_ABOUT_PLAYERS} == models
    assert not KEPT_IN.keys() & NOT_ABOUT_PLAYERS.keys()
    sections = schema()["components"]["schemas"]["ExportAnswer"]["properties"]
    assert {*KEPT_IN.values()} <= sections.keys()


def test_a_model_with_a_player_cannot_be_listed_as_not_about_players() -> None:
    for model in apps.get_models(include_auto_created=True):
        to_player = [field for field in model._meta.get_fields() if field.related_model is Player]
        if to_player and not model._meta.auto_created:
            assert name_of(model) in KEPT_IN, f"{name_of(model)} has {to_player}"


def test_every_column_of_a_player_is_exported(alice: Caller) -> None:
    told = exported(alice)["player"]
    columns = {field.name for field in Player._meta.get_fields()} - HIDDEN - RELATED
    assert columns <= told.keys(), columns - told.keys()


def test_every_column_of_a_seat_is_exported(two_seats: dict[str, Any], alice: Caller) -> None:
    (told,) = exported(alice)["tables"]
    columns = {field.name for field in Seat._meta.concrete_fields} - {"id", "table", "player", "number"}
    assert columns <= told.keys(), columns - told.keys()


def in_json(value: Any) -> Any:
    return json.loads(json.dumps(value, cls=JSONEncoder))


def columns_of(row: Model, names: Iterable[str]) -> dict[str, Any]:
    return {name: in_json(getattr(row, name)) for name in names}


def test_a_player_is_exported_as_they_are(alice: Caller, clock: time_machine.Traveller) -> None:
    assert alice.player is not None
    now = timezone.now()
    Player.objects.filter(pk=alice.player.pk).update(username="alice", is_staff=True, last_login=now)
    alice.player.user_permissions.add(Permission.objects.get(codename="view_table"))
    alice.post("players/me/handover")
    told = exported(alice)
    row = Player.objects.get(pk=alice.player.pk)
    kept = columns_of(row, {field.name for field in Player._meta.concrete_fields} - HIDDEN)
    assert told["player"] == kept | {"has_password": False, "groups": [], "permissions": ["view_table"]}
    assert told["exported_at"] == in_json(now)
    assert told["handover_expires_at"] == in_json(Handover.objects.get().expires_at)
    row.set_password("tiles-and-trains")
    row.save()
    assert exported(alice)["player"]["has_password"]


def test_a_table_is_exported_as_it_is(playing: dict[str, Any], alice: Caller, bob: Caller) -> None:
    assert bob.player is not None
    kept = {"total": 7, "timeouts": 2, "has_left": True, "stand_in": "hard", "stand_in_until": StandIn.END}
    Seat.objects.filter(player=bob.player).update(client_seed="my own words", **kept)
    Round.objects.update(client_seeds=["", "my first words"])
    assert alice.post(f"tables/{playing['id']}/cancel").status == 200
    (told,) = exported(bob)["tables"]
    table, seat = Table.objects.get(), Seat.objects.get(player=bob.player)
    of_table = ("id", "name", "status", "created_at", "started_at", "ended_at")
    of_seat = ("shown_name", "has_left", "total", "stand_in", "stand_in_until", "timeouts", "client_seed")
    address = f"http://testserver/api/v1/tables/{playing['id']}"
    assert table.ended_at is not None
    assert told == {
        **columns_of(table, of_table),
        **columns_of(seat, of_seat),
        "is_host": False,
        "seat": 1,
        "client_seeds": ["my first words"],
        "moves": f"{address}/moves",
        "record": f"{address}/record",
    }
    Round.objects.update(client_seeds=[])  # as of a record without secrets
    assert [exported(caller)["tables"][0]["client_seeds"] for caller in (alice, bob)] == [[""], [""]]


def test_a_webhook_is_exported_as_it_is(alice: Caller) -> None:
    assert alice.player is not None
    webhook = addressbook.register(alice.player, "https://1.1.1.1/", ["your_turn"])
    for minutes in (0, 1):
        outbox.announce_test(webhook, timezone.now() - timedelta(minutes=minutes))
    now = timezone.now()
    assert exported(alice)["webhooks"][0]["disabled_reason"] is None
    Webhook.objects.update(failures=3, failing_since=now, disabled_reason=Disabled.FAILING)
    (told,) = exported(alice)["webhooks"]
    row = Webhook.objects.get()
    latest, first = told.pop("deliveries")[::-1]
    assert first["created_at"] < latest["created_at"]
    assert told == columns_of(
        row, ("id", "url", "events", "created_at", "failures", "failing_since", "disabled_reason")
    )


def test_actions_in_the_admin_come_newest_first(alice: Caller, bob: Caller) -> None:
    kind = ContentType.objects.get_for_model(Table)
    assert alice.player is not None
    assert bob.player is not None
    for player, content, flag in ((alice.player, kind, 1), (bob.player, kind, 1), (alice.player, None, 3)):
        LogEntry.objects.create(user=player, content_type=content, object_repr="x", action_flag=flag)
    times = [in_json(at) for at in LogEntry.objects.filter(user=alice.player).values_list("action_time", flat=True)]
    told = exported(alice)["admin_actions"]
    assert [(each["action"], each["model"]) for each in told] == [("deleted", None), ("added", "table")]
    assert [each["at"] for each in told] == sorted(times, reverse=True)


def test_the_export_of_a_new_guest(alice: Caller, bob: Caller) -> None:
    bob.post("players/me/handover")
    start(open_table(bob, seats=2, bots=[{"seat": 1, "level": "easy"}]), bob)
    told = exported(alice)
    assert told["player"]["name"] == "Alice"
    assert [session["current"] for session in told["sessions"]] == [True]
    assert (told["tables"], told["webhooks"], told["admin_actions"], told["handover_expires_at"]) == ([], [], [], None)


def test_the_export_of_an_active_player(playing: dict[str, Any], alice: Caller) -> None:
    assert alice.player is not None
    open_table(alice, host_seat=None, name="Without a seat")
    alice.put(f"tables/{playing['id']}/client-seed", {"seed": "my own words"})
    play(playing, alice)
    webhook = addressbook.register(alice.player, "https://1.1.1.1/turns", ["your_turn"])
    outbox.announce_test(webhook, timezone.now())
    alice.post("players/me/handover")
    alice.player.groups.add(Group.objects.create(name="Keepers"))
    kind = ContentType.objects.get_for_model(Player)
    LogEntry.objects.create(user=alice.player, content_type=kind, object_repr="Bob", action_flag=2)
    told = exported(alice)
    hosted, seated = told["tables"]
    assert (hosted["name"], hosted["is_host"], hosted["seat"]) == ("Without a seat", True, None)
    assert (seated["id"], seated["seat"], seated["client_seed"]) == (playing["id"], 0, "my own words")
    assert (seated["client_seeds"], seated["has_left"]) == ([""], False)
    assert alice.get(seated["moves"].partition("/api/v1/")[2]).body[0]["seat"] == 0
    (told_webhook,) = told["webhooks"]
    assert (told_webhook["url"], told_webhook["events"]) == ("https://1.1.1.1/turns", ["your_turn"])
    assert [each["event"] for each in told_webhook["deliveries"]] == ["test"]
    assert told["player"]["groups"] == ["Keepers"]
    assert [(each["action"], each["model"]) for each in told["admin_actions"]] == [("changed", "player")]
    assert told["handover_expires_at"]


def test_the_export_contains_no_secret_and_nothing_about_others(
    playing: dict[str, Any], alice: Caller, bob: Caller
) -> None:
    assert alice.player is not None
    assert bob.player is not None
    bob.put(f"tables/{playing['id']}/client-seed", {"seed": "the words of Bob"})
    apart = open_table(bob, visibility="public")["id"]
    secret = addressbook.register(alice.player, "https://1.1.1.1/turns", ["your_turn"]).secret
    outbox.announce_test(addressbook.register(bob.player, "https://1.1.1.1/of-bob", ["your_turn"]), timezone.now())
    alice.player.set_password("tiles-and-trains")
    alice.player.save()
    code = alice.post("players/me/handover").body["code"]
    text = alice.get("players/me/export").text
    tokens = [part for token in AuthToken.objects.all() for part in (token.digest[:12], token.token_key)]
    others = ["the words of Bob", "of-bob", str(bob.player.pk), '"Bob"', apart]
    for each in (secret, code, code.replace("-", ""), alice.player.password, *tokens, *others):
        assert each not in text
    assert "Bob" in bob.get("players/me/export").text


def test_without_a_token(spectator: Caller) -> None:
    check_refused(lambda: spectator.get("players/me/export"), 401, "not_authenticated")


def test_exports_are_limited(monkeypatch: pytest.MonkeyPatch, alice: Caller) -> None:
    limit(monkeypatch, export="2/min")
    assert [alice.get("players/me/export").status for _ in range(3)] == [200, 200, 429]


def test_the_number_of_queries_does_not_grow_with_the_tables(alice: Caller, django_assert_max_num_queries: Any) -> None:
    for _ in range(4):
        open_table(alice)
    with django_assert_max_num_queries(16):
        exported(alice)
    assert guest("Bob").get("players/me/export").status == 200
