"""A newer server may send new fields, values and events, and they break no older client."""

import json
from typing import Any

import httpx
import pytest

from mexican_train import AsyncClient, Client, ProblemError
from mexican_train.errors import refusal
from mexican_train.exchange import answer_of as read_answer
from rest.schema import examples
from tests.cases import for_each
from tests.clients.asking import Ask, both
from tests.clients.scripted import reply, scripted, stream
from tests.clients.test_event_stream import OVER, QUICKLY, TABLE, event, versions
from tests.clients.test_schema import all_verbs, called, components

NEW = "of a newer server"
JSON = "application/json"
PROBLEM = "application/problem+json"


def enumerated() -> set[str]:
    """Every value of every closed list of the schema."""
    return {value for each in components().values() for value in each.get("enum", ())}


def newer(answer: Any, known: set[str]) -> Any:
    """The same answer with a field more in every object, and another value wherever the list of values is closed."""
    if isinstance(answer, dict):
        return {"new": [NEW]} | {name: newer(value, known) for name, value in answer.items()}
    if isinstance(answer, list):
        return [newer(each, known) for each in answer]
    return NEW if isinstance(answer, str) and answer in known else answer


@for_each("name", sorted(set(all_verbs()) & set(examples())))
def test_every_answer_is_read_with_new_fields_and_values(name: str) -> None:
    call, known = called(all_verbs()[name]), enumerated()
    answers = [each["answer"] for each in examples()[name] if each["status"] < 300 and each.get("kind") == JSON]
    for answer in answers:
        response = httpx.Response(200, json=newer(answer, known))
        assert read_answer(call, response) is not None


def test_every_refusal_is_read_with_a_new_code_and_new_values() -> None:
    for recorded in examples().values():
        for each in recorded:
            if each.get("kind") == PROBLEM:
                error = refusal(newer(each["answer"], enumerated()))
                assert isinstance(error, ProblemError)
                assert (error.code, error.position is None) == (NEW, "position" not in each["answer"])


@both
@pytest.mark.parametrize("data", ["words", "[1]", "null", json.dumps({"said": "Hello"})])
def test_an_unknown_kind_of_event_is_ignored_whatever_its_data(ask: Ask, data: str) -> None:
    chat = f"event: chat\ndata: {data}\n\n"
    with scripted(stream(QUICKLY, chat, event(41), chat, event(42), OVER)) as server:
        assert versions(ask, server.url) == [41, 42]


@both
def test_a_stream_that_ends_for_an_unknown_reason_is_reconnected(ask: Ask) -> None:
    ended = OVER.replace("finished", "maintenance")
    with scripted(stream(QUICKLY, event(41), ended), stream(event(42), OVER)) as server:
        assert versions(ask, server.url) == [41, 42]


@both
def test_a_table_with_an_unknown_status_is_still_followed(ask: Ask) -> None:
    position = next(each["answer"] for each in examples()["position"] if each["status"] == 200)
    script = [reply(200, position | {"version": 1, "status": "paused"}, ETag='"1"')]
    script += [reply(200, position | {"version": 2, "status": "finished"}, ETag='"2"')]

    def follow(client: Client | AsyncClient) -> Any:
        return client.follow(TABLE)

    with scripted(*script) as server:
        assert [told.status for told in ask(server.url, follow)] == ["paused", "finished"]
