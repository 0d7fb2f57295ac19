"""The admin's lists accept only the filters that they offer, so that filters reveal nothing hidden."""

import re
from html import unescape
from typing import Any
from urllib.parse import parse_qsl, urljoin, urlsplit

import pytest
from django.contrib import admin
from django.db.models import Model
from django.test import Client
from django.urls import reverse
from knox.models import AuthToken

from players.models import Player
from rest.models import AnsweredRequest
from tables.models import Hand, Move, Round, Seat, Table
from tests.cases import slow_after
from tests.cast import Caller, open_table, play
from tests.matches import begin, play_round, snapshot

MODELS: list[type[Model]] = [AnsweredRequest, AuthToken, Hand, Move, Player, Round, Seat, Table]
GUESSES = {
    "order__startswith": "9-9",
    "order__contains": "9-9",
    "order__regex": "(",
    "secret__isnull": "True",
    "secret": "x",
    "client_seeds__contains": "a",
    "client_seed__startswith": "a",
    "seat__client_seed__startswith": "a",
    "seats__client_seed__startswith": "a",
    "round__order__startswith": "9-9",
    "round__secret__isnull": "False",
    "rounds__order__startswith": "9-9",
    "hands__tiles__contains": "9-9",
    "result__isnull": "False",
    "tiles__contains": "9-9",
    "round__hands__tiles__contains": "9-9",
    "table__rounds__order__startswith": "9-9",
    "table__id__rounds__order__startswith": "9-9",
    "table__status__rounds__order": "9-9",
    "id__order__startswith": "9-9",
    "password__startswith": "md5",
    "user__password__startswith": "md5",
    "user__kind__password__startswith": "md5",
    "player__password__startswith": "md5",
    "host__password__startswith": "md5",
    "seat__player__password__startswith": "md5",
    "digest__startswith": "a",
    "auth_token_set__digest__startswith": "a",
    "body__isnull": "False",
    "fingerprint__startswith": "a",
    "token_key__startswith": "a",
    "invite_code__startswith": "A",
    "table__invite_code__startswith": "A",
    "preset__regex": "(",
    "preset__iregex": "(",
    "kind__regex": "(",
    "engine__regex": "(",
    "by__regex": "(",
    "status__regex": "(",
    "stand_in_until__iregex": "(",
    "created_at__regex": "(",
    "seat__player__kind__regex": "(",
    "table__id__regex": "(",
}
NONSENSE = {
    "engine": "many",
    "engine__exact": "9" * 400,
    "engine__gt": "(",
    "created_at__gte": "yesterday",
    "created__gte": "yesterday",
    "ended_at__isempty": "2",
    "ended_at__isnull": "perhaps",
    "table__id__exact": "not-a-table",
    "id__in": "a,b",
    "status__nonsense": "x",
    "kind__isnull": "perhaps",
    "preset": "\0",
    "o": "99",
    "p": "99",
}


@pytest.fixture
def keeper(db: None) -> Client:
    """Somebody who keeps a club."""
    client = Client()
    client.force_login(Player.objects.create_superuser("keeper", "a long password"))
    return client


@pytest.fixture
def club(alice: Caller, bob: Caller, keeper: Client) -> dict[str, Any]:
    """Rows of every kind: a round that is over, and one that is running with a move or more."""
    table = begin(alice, bob, name="Kitchen", visibility="public")
    play_round(table)
    assert play(table, (alice, bob)[snapshot(table).turn or 0]).status == 201
    open_table(alice)
    alice.post("tables", {}, Idempotency_Key="key")
    return table


def list_of(model: type[Model]) -> str:
    return reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")


def ask(keeper: Client, address: str, **query: str) -> Any:
    """The answer, where a list that cannot make sense of a query would lead to. It tells a count only if it is 200."""
    answer = keeper.get(address, query)
    if answer.status_code == 302:
        assert dict(parse_qsl(urlsplit(answer.headers["Location"]).query)) == {"e": "1"}
    return answer


@pytest.mark.parametrize("model", slow_after(3, MODELS))
def test_a_filter_on_a_hidden_column_is_refused(model: type[Model], keeper: Client) -> None:
    told = {lookup: ask(keeper, list_of(model), **{lookup: guess}) for lookup, guess in GUESSES.items()}
    answered = [lookup for lookup, answer in told.items() if answer.status_code not in {302, 400}]
    assert answered == []


@pytest.mark.parametrize("model", slow_after(3, MODELS))
def test_a_filter_and_its_opposite_get_the_same_answer(model: type[Model], keeper: Client) -> None:
    hidden = [field.name for field in model._meta.get_fields() if field.name not in offered(model)]
    for name in hidden:
        told = [keeper.get(list_of(model), {f"{name}__isnull": value}) for value in ("True", "False")]
        assert {answer.status_code for answer in told} <= {302, 400}, name


def offered(model: type[Model]) -> set[str]:
    listed = admin.site._registry[model]
    filters = {each[0] if isinstance(each, tuple) else each for each in listed.list_filter}
    return {str(name) for name in filters} | {"id", str(listed.date_hierarchy)}


@pytest.mark.parametrize("model", slow_after(3, MODELS))
def test_an_invalid_filter_is_not_a_server_error(model: type[Model], keeper: Client) -> None:
    told = {lookup: ask(keeper, list_of(model), **{lookup: value}).status_code for lookup, value in NONSENSE.items()}
    assert {lookup: status for lookup, status in told.items() if status not in {200, 302, 400}} == {}


FAULTS: list[tuple[type[Model], str, str]] = [
    (Move, "by__exact", "\0"),
    (Table, "status__exact", "\0"),
    (Seat, "stand_in_until__exact", "\0"),
    (Move, "at__year", "0"),
]


@pytest.mark.parametrize(("model", "lookup", "value"), FAULTS)
def test_an_impossible_value_is_not_a_server_error(model: type[Model], lookup: str, value: str, keeper: Client) -> None:
    assert ask(keeper, list_of(model), **{lookup: value}).status_code in {302, 400}


def links_in(page: str, of: str) -> list[str]:
    """The addresses in one element of a page."""
    name = of.split(maxsplit=1)[0]
    (part,) = re.findall(rf"<{of}.*?</{name}>", page, flags=re.DOTALL)
    return [unescape(link) for link in re.findall(r'href="(\?[^"]*)"', part)]


@pytest.mark.parametrize("model", slow_after(3, MODELS))
def test_every_link_of_the_sidebar_works(model: type[Model], keeper: Client, club: dict[str, Any]) -> None:
    page = keeper.get(list_of(model)).content.decode()
    links = links_in(page, 'nav id="changelist-filter"')
    listed = admin.site._registry[model]
    assert len(links) > len(listed.list_filter)
    followed = {link: keeper.get(urljoin(list_of(model), link)).status_code for link in links}
    assert {link: status for link, status in followed.items() if status != 200} == {}


def test_dates_can_be_narrowed_to_a_day(keeper: Client, club: dict[str, Any]) -> None:
    created = Table.objects.get(pk=club["id"]).created_at
    parts = {"created_at__year": created.year, "created_at__month": created.month, "created_at__day": created.day}
    answer = keeper.get(list_of(Table), parts)
    assert (answer.status_code, answer.context["cl"].result_count) == (200, Table.objects.count())


def test_a_tables_page_leads_to_its_moves(keeper: Client, club: dict[str, Any]) -> None:
    page = keeper.get(reverse("admin:tables_table_change", args=[club["id"]])).content.decode()
    (link,) = {unescape(link) for link in re.findall(r'href="([^"]*table__id__exact=[^"]*)"', page)}
    answer = keeper.get(urljoin(list_of(Table), link))
    assert answer.status_code == 200
    assert answer.context["cl"].result_count == Move.objects.filter(table=club["id"]).count() > 0


def test_a_list_can_be_filtered_by_table(keeper: Client, club: dict[str, Any]) -> None:
    for model in (Move, Round, Seat):
        answer = keeper.get(list_of(model), {"table__id__exact": club["id"]})
        assert answer.status_code == 200
        assert answer.context["cl"].result_count == model._default_manager.filter(table=club["id"]).count() > 0
