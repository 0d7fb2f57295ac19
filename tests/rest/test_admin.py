"""The admin and ids that no row has: no page, nothing selected, and no error of the server."""

from typing import Any
from urllib.parse import quote
from uuid import UUID

import pytest
from django.contrib import admin
from django.contrib.contenttypes.models import ContentType
from django.contrib.messages import get_messages
from django.db.models import Model
from django.test import Client, RequestFactory
from django.urls import reverse

from players.models import Player
from tables.models import Table
from tests.cases import slow_after
from tests.cast import Caller, open_table

MODELS = sorted(admin.site._registry, key=lambda model: model._meta.label)
NO_IDS = ["xx", "\0", "x\0", "9" * 23, "-1", "9" * 5000, "null", "\ud7ff", str(UUID(int=0)), "x" * 500]
PAGES = ("change", "history", "delete")
OFFERED = {
    (model, action) for model in MODELS for action in ("delete_selected", *(admin.site._registry[model].actions or ()))
}


@pytest.fixture
def keeper(db: None) -> Client:
    client = Client()
    client.force_login(Player.objects.create_superuser("keeper", "a long password"))
    return client


def address(model: type[Model], page: str, *ids: str) -> str:
    return reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_{page}", args=ids)


def post(keeper: Client, model: type[Model], action: str, ids: list[str], **more: str) -> Any:
    body = {"action": action, "_selected_action": ids, "index": "0", **more}
    return keeper.post(address(model, "changelist"), body)


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model._meta.label)
@pytest.mark.parametrize("page", PAGES)
def test_a_page_for_an_impossible_id_is_404(keeper: Client, model: type[Model], page: str) -> None:
    told = {}
    for no_id in NO_IDS:
        path = address(model, page, "ID").replace("ID", quote(no_id))
        told[no_id[:9]] = keeper.get(path).status_code
    may_delete = page != "delete" or is_deleted(model)
    assert set(told.values()) <= ({302, 404} if may_delete else {302, 403, 404}), told


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model._meta.label)
def test_no_row_is_a_page_of_the_site(keeper: Client, model: type[Model]) -> None:
    kind = ContentType.objects.get_for_model(model).pk
    told = [keeper.get(f"/admin/r/{kind}/{quote(no_id)}/").status_code for no_id in NO_IDS]
    assert set(told) == {404}


def is_deleted(model: type[Model]) -> bool:
    request = RequestFactory().get("/")
    request.user = Player(is_superuser=True)
    return admin.site._registry[model].has_delete_permission(request)


@pytest.mark.parametrize(("model", "action"), slow_after(4, sorted(OFFERED, key=str)))
def test_an_impossible_id_selects_nothing(keeper: Client, model: type[Model], action: str) -> None:
    told = {no_id[:9]: post(keeper, model, action, [no_id]).status_code for no_id in NO_IDS}
    told["all"] = post(keeper, model, action, NO_IDS).status_code
    assert set(told.values()) <= {200, 302}, told


@pytest.mark.parametrize("index", ["", "-1", "9" * 23, "x", "\0"])
def test_an_invalid_form_index_is_not_a_server_error(keeper: Client, index: str) -> None:
    assert post(keeper, Player, "delete_selected", ["xx"], index=index).status_code in {200, 302}


def test_an_action_without_selected_rows_shows_a_message(keeper: Client) -> None:
    answer = post(keeper, Table, "cancel_tables", ["xx"])
    assert [str(each) for each in get_messages(answer.wsgi_request)] == [
        "Items must be selected in order to perform actions on them. No items have been changed."
    ]


def test_an_action_applies_to_the_rows_that_exist(keeper: Client, alice: Caller) -> None:
    table = open_table(alice)
    assert post(keeper, Table, "cancel_tables", ["xx", table["id"], "\0"], confirmed="yes").status_code == 302
    assert Table.objects.get().status == "cancelled"
