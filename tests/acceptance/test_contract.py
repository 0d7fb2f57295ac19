"""The contract of a running server: schemathesis sends requests that the schema allows, and others."""

from typing import Any

import pytest
import requests
import schemathesis
from schemathesis import checks
from schemathesis.config import SchemathesisConfig

from tests.acceptance.server import Server
from tests.acceptance.strangers import Strangers
from tests.rest.operations import schema

STREAM = "text/event-stream"
CONFIG = SchemathesisConfig.from_dict(
    {
        "seed": 12,
        "suppress-health-check": ["all"],  # a slow machine is no fault of the server
        "generation": {"max-examples": 10, "database": "none", "no-shrink": True, "with-security-parameters": False},
    }
)
SAFE = {"GET", "HEAD", "OPTIONS", "TRACE"}
CHECKS = [
    checks.not_a_server_error,
    checks.status_code_conformance,
    checks.content_type_conformance,
    checks.response_schema_conformance,
    checks.response_headers_conformance,
    checks.unsupported_method,
    checks.allow_header_conformance,
]


def is_stream(context: Any) -> bool:
    """An answer without an end, which a client of a case would wait for."""
    responses = context.operation.definition.raw["responses"].values()
    return any(STREAM in response.get("content", {}) for response in responses)


API = schemathesis.openapi.from_dict(schema(), config=CONFIG).exclude(is_stream)


@pytest.fixture(scope="module")
def strangers(server: Server) -> Strangers:
    return Strangers(server)


def test_the_server_serves_the_schema_that_is_tested(server: Server) -> None:
    served = requests.get(f"{server.url}/api/v1/schema", timeout=30).json()
    assert served == schema()


@API.parametrize()
def test_the_server_keeps_to_its_schema(case: Any, strangers: Strangers) -> None:
    name = next(strangers.turns) if "{table_id}" in case.path else "playing"
    stage = strangers.stage(name)
    strangers.fill(case, stage)
    headers = stage.token_of(next(strangers.callers))
    answer = case.call(base_url=strangers.server.url, session=strangers.session, headers=headers)
    if answer.status_code < 300 and case.method.upper() not in SAFE:
        strangers.stages.pop(name, None)
    case.validate_response(answer, checks=CHECKS, headers=headers)
