"""The Python client knows every operation and every field of the schema, so that it cannot fall behind the server."""

import inspect
import re
from collections.abc import Callable
from dataclasses import MISSING, fields
from datetime import datetime
from types import UnionType
from typing import Any, Union, get_args, get_origin

import pytest

from mexican_train import AsyncClient, Client, answers, verbs
from mexican_train.calls import Call
from mexican_train.reading import hints_of
from tests.cases import for_each
from tests.rest.operations import operations, schema

UUID = "0b9ad7ac-1f7f-4f5b-9b37-6b8d0a3d2c11"
FOLLOWED = {("GET", "/api/v1/tables/{}/events"): "events", ("GET", "/api/v1/players/me/events"): "my_events"}
"""What is no verb, since it goes on over many calls: a method of the clients has its name."""
HELD = {"follow", "follow_tables", "follow_my_tables"}
"""Methods that wait for a change of what a verb answers."""
COMPONENTS = {
    "BotAnswer": answers.Bot,
    "CheckedAnswer": answers.CheckedRules,
    "CheckedRecordAnswer": answers.CheckedRecord,
    "ClockProposal": answers.ClockProposal,
    "ClientSeedAnswer": answers.ClientSeed,
    "DealAnswer": answers.Deal,
    "DeliveryAnswer": answers.Delivery,
    "DifferenceAnswer": answers.Difference,
    "EngineDraw": answers.EngineDraw,
    "ExplanationAnswer": answers.Explanation,
    "ExportAnswer": answers.Export,
    "ExportedAction": answers.ExportedAction,
    "ExportedDelivery": answers.ExportedDelivery,
    "ExportedPlayer": answers.ExportedPlayer,
    "ExportedTable": answers.ExportedTable,
    "ExportedWebhook": answers.ExportedWebhook,
    "HandoverAnswer": answers.Handover,
    "HintAnswer": answers.Hint,
    "InvitationAnswer": answers.Invitation,
    "Invite": answers.Invite,
    "JoinedAnswer": answers.Joined,
    "LastMove": answers.LastMove,
    "LegalMove": answers.LegalMove,
    "LoggedMove": answers.LoggedMove,
    "Me": answers.Me,
    "MoveAnswer": answers.Played,
    "MoveEvent": answers.Moved,
    "MyTableEvent": answers.MyTableChanged,
    "NewWebhookAnswer": answers.NewWebhook,
    "OwnRule": answers.OwnRule,
    "PastPositionAnswer": answers.PastPosition,
    "PastTurn": answers.PastTurn,
    "PlayerRecord": answers.PlayerRecord,
    "PositionAnswer": answers.Position,
    "PresetAnswer": answers.Preset,
    "PresetDifferencesAnswer": answers.PresetDifferences,
    "RecordAnswer": answers.Record,
    "RecordFault": answers.RecordFault,
    "RecordMove": answers.RecordMove,
    "RecordPlace": answers.RecordPlace,
    "RecordRound": answers.RecordRound,
    "RecordSeat": answers.RecordSeat,
    "RoundDealtEvent": answers.RoundDealt,
    "RoundEndedEvent": answers.RoundEnded,
    "RoundOnTable": answers.RoundOnTable,
    "RoundResult": answers.RoundResult,
    "SeatEvent": answers.SeatChanged,
    "WarnEvent": answers.Warned,
    "SeatInPlay": answers.SeatInPlay,
    "SeatedPlayer": answers.Player,
    "SessionAnswer": answers.Session,
    "SheetAnswer": answers.RuleSheet,
    "SheetSection": answers.SheetSection,
    "TableAnswer": answers.Table,
    "TableEvent": answers.TableChanged,
    "TableSeat": answers.Seat,
    "TrainAnswer": answers.Train,
    "TurnAnswer": answers.Turn,
    "ValueTold": answers.ValueTold,
    "VerdictAnswer": answers.Verdict,
    "WebhookAnswer": answers.Webhook,
    "Welcome": answers.Welcome,
    "YouAnswer": answers.You,
}
OF_OUR_OWN = {"raw", "etag"}
"""Fields that are in no component: what came, and its header."""
MORE_OF_OUR_OWN = {answers.Table: {"your_turn"}, answers.MyTableChanged: {"id"}}
"""One of the list of one's own tables, and one that stands beside the data of an event."""
TOLD_BY_CLASS = {"what"}
"""Fields that are in no class: whether a round was dealt or has ended."""


def components() -> dict[str, Any]:
    found: dict[str, Any] = schema()["components"]["schemas"]
    return found


def all_verbs() -> dict[str, Callable[..., Call[Any]]]:
    functions = inspect.getmembers(verbs, inspect.isfunction)
    own = {name: verb for name, verb in functions if verb.__module__ == verbs.__name__}
    return {name: verb for name, verb in own.items() if inspect.signature(verb).return_annotation.startswith("Call[")}


def called(verb: Callable[..., Call[Any]]) -> Call[Any]:
    """The call that a verb makes of arguments that could be somebody's."""
    samples = {"number": 1, "seat": 1, "changes": {}, "events": []}
    needed = [each for each in inspect.signature(verb).parameters.values() if is_needed(each)]
    return verb(
        **{
            each.name: samples.get(each.name, UUID if each.name in {"table", "player", "webhook", "session"} else "x")
            for each in needed
        }
    )


def is_needed(parameter: inspect.Parameter) -> bool:
    return parameter.default is parameter.empty and parameter.kind is not inspect.Parameter.VAR_KEYWORD


def operation_of(call: Call[Any]) -> tuple[str, str]:
    path = re.sub(rf"{UUID}|(?<=presets/)x|(?<=diff/)x|(?<=invites/)x|(?<=/)1(?=/|$)", "{}", call.path)
    return call.method, f"/api/v1/{path}"


def test_every_operation_has_a_verb_and_every_verb_an_operation() -> None:
    known = {operation_of(called(verb)) for verb in all_verbs().values()}
    assert known | FOLLOWED.keys() == {(each.method, re.sub(r"{\w+}", "{}", each.path)) for each in operations()}


def test_operations_and_verbs_have_the_same_names() -> None:
    """So a reader of code for one client can read code for another."""
    called_so = {operation_of(called(verb)): name.removesuffix("_text") for name, verb in all_verbs().items()}
    called_so |= FOLLOWED
    assert called_so == {(each.method, re.sub(r"{\w+}", "{}", each.path)): each.id for each in operations()}


@pytest.mark.parametrize("client", [Client, AsyncClient])
def test_both_clients_have_every_verb_with_its_parameters(client: type) -> None:
    for name, verb in all_verbs().items():
        method = getattr(client, name)
        assert method.__doc__ == verb.__doc__
        assert list(inspect.signature(method).parameters)[1:] == list(inspect.signature(verb).parameters)


def test_both_clients_do_the_same() -> None:
    public = [{name for name in dir(client) if not name.startswith("_")} for client in (Client, AsyncClient)]
    assert public[0] - {"close"} == public[1] - {"aclose"}
    assert public[0] == all_verbs().keys() | HELD | set(FOLLOWED.values()) | {"close"}


def test_every_component_of_an_answer_has_a_class() -> None:
    others = {"Problem", "ProblemError", "TablePage", "MyTablePage", "MyTableAnswer", "StreamedEvent", "EndEvent"}
    others |= {"MyStreamedEvent"}
    is_answer = {name for name, each in components().items() if not name.endswith("Request") and "enum" not in each}
    assert is_answer - others == COMPONENTS.keys()


@for_each("name", COMPONENTS)
def test_a_class_has_the_fields_of_its_component(name: str) -> None:
    component, kind = components()[name], COMPONENTS[name]
    ours = OF_OUR_OWN | MORE_OF_OUR_OWN.get(kind, set())
    own = {field.name: field for field in fields(kind) if field.name not in ours}
    told = {field: each for field, each in component["properties"].items() if field not in TOLD_BY_CLASS}
    assert own.keys() == told.keys()
    for field, described in told.items():
        is_required = field in component.get("required", ())
        assert is_plausible(hints_of(kind)[field], described, is_required), field
        assert is_required == (own[field].default is own[field].default_factory is MISSING), field


def is_plausible(hint: Any, described: dict[str, Any], is_required: bool) -> bool:
    """Whether what the schema allows can be read: null, lists, objects of the right class, and plain values."""
    if "allOf" in described:
        (described,) = described["allOf"]
    if get_origin(hint) in {Union, UnionType}:
        may_be_absent = not is_required or is_nullable(described)
        return may_be_absent and is_plausible(get_args(hint)[0], without_null(described), True)
    if is_nullable(described):
        return False
    if "$ref" in described:
        name = described["$ref"].rpartition("/")[2]
        return COMPONENTS.get(name) == hint or is_plausible(hint, components().get(name, {}), True)
    if "enum" in described:
        return hint is str or set(get_args(hint)) == set(described["enum"])
    if described.get("type") == "array":
        return get_origin(hint) is tuple and is_plausible(get_args(hint)[0], described["items"], True)
    return is_plain(hint, described)


def is_plain(hint: Any, described: dict[str, Any]) -> bool:
    if described.get("format") == "date-time":
        return bool(hint is datetime)
    kinds = {"string": str, "integer": int, "number": float, "boolean": bool, None: Any}
    kind = described.get("type")
    return bool(kind == "object" and get_origin(hint)) or hint is kinds.get(kind)


def is_nullable(described: dict[str, Any]) -> bool:
    kinds = described.get("type")
    return "null" in kinds if isinstance(kinds, list) else any(is_null(each) for each in described.get("oneOf", ()))


def is_null(described: dict[str, Any]) -> bool:
    return described == {"type": "null"}


def without_null(described: dict[str, Any]) -> dict[str, Any]:
    if "oneOf" in described:
        (rest,) = [each for each in described["oneOf"] if not is_null(each)]
        return dict(rest)
    kinds = described.get("type")
    return described | {"type": kinds[0]} if isinstance(kinds, list) else described


def test_the_reasons_are_those_of_the_rules() -> None:
    assert set(get_args(answers.Reason)) == set(components()["Reason"]["enum"])


def test_a_table_is_opened_and_changed_with_the_fields_of_the_schema() -> None:
    assert verbs.TableChanges.__annotations__.keys() == components()["PatchedChangeTableRequest"]["properties"].keys()
