"""The callers for schemathesis's cases, and the tables, seats and moves that the cases use."""

from dataclasses import dataclass, field
from itertools import cycle
from typing import Any
from uuid import UUID

import requests

from rules.mexican_train.presets import PRESETS
from tests.acceptance.server import Client, Server
from tests.acceptance.test_matches import MATCH_SECONDS, bots

LONGEST_INVITE = 32
STAGES = ("playing", "open", "finished")
CALLERS = ("alice", "nobody", "alice", "cleo")


@dataclass
class Stage:
    """Alice, who hosts a table of two where she and Bob sit, the table, and Cleo, who only watches."""

    alice: Client
    bob: Client
    cleo: Client
    table: dict[str, Any]

    @property
    def values(self) -> dict[str, str]:
        """Parts of an address that lead somewhere."""
        return {"table_id": self.table["id"], "player_id": self.table["host"]}

    def token_of(self, name: str) -> dict[str, str]:
        """The headers that somebody calls with."""
        callers = {"alice": self.alice, "cleo": self.cleo}
        return {"Authorization": str(callers[name].session.headers["Authorization"])} if name in callers else {}

    def move(self) -> dict[str, Any]:
        """A move that Alice or Bob may make now, and its number."""
        shown = (caller.position(self.table["id"]) for caller in (self.alice, self.bob))
        legal = [each["move"] for now in shown if now["you"] for each in now["you"]["legal_moves"]]
        return {"move": (legal or ["draw"])[0], "number": self.alice.position(self.table["id"])["next_number"]}


def open_stage(server: Server) -> Stage:
    alice, bob, cleo = (Client(server, name) for name in ("Alice", "Bob", "Cleo"))
    table = alice.done("POST", "tables", {"seats": 2, "visibility": "public"})
    bob.done("POST", "tables/join", {"invite": table["invite"]["code"]})
    return Stage(alice, bob, cleo, table)


def playing_stage(server: Server) -> Stage:
    stage = open_stage(server)
    stage.alice.done("POST", f"tables/{stage.table['id']}/start")
    return stage


def finished_stage(server: Server) -> Stage:
    alice, bob, cleo = (Client(server, name) for name in ("Alice", "Bob", "Cleo"))
    table = alice.done("POST", "tables", {"seats": 2, "bots": bots("random", first=1), "options": {"rounds": 1}})
    alice.done("POST", f"tables/{table['id']}/start")
    alice.play_to_the_end(table["id"], MATCH_SECONDS)
    return Stage(alice, bob, cleo, table)


MAKERS = {"open": open_stage, "playing": playing_stage, "finished": finished_stage}


@dataclass
class Strangers:
    """Makes the stages, each again once a call has changed it, and takes everybody's turn to call."""

    server: Server
    stages: dict[str, Stage] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.session = requests.Session()
        self.turns = cycle(STAGES)
        self.callers = cycle(CALLERS)
        self.presets = cycle(PRESETS)
        self.yes_and_no = cycle([True, True, False])

    def stage(self, name: str) -> Stage:
        if name not in self.stages:
            self.stages[name] = MAKERS[name](self.server)
        return self.stages[name]

    def fill(self, case: Any, stage: Stage) -> None:
        """Replace well-formed but unknown values by real ones."""
        for name, value in case.path_parameters.items():
            if is_uuid(value):
                case.path_parameters[name] = stage.values.get(name, value)
            elif isinstance(value, int):
                case.path_parameters[name] = value % 4
            elif name == "name" and next(self.yes_and_no):
                case.path_parameters[name] = next(self.presets)
        if next(self.yes_and_no):
            case.headers.pop("Idempotency-Key", None)  # the coverage of headers is always the same key
        if isinstance((case.query or {}).get("wait"), int | str):
            case.query["wait"] = "0"  # waiting would test nothing more
        if isinstance(case.body, dict) and next(self.yes_and_no):
            case.body = case.body | self.real_fields(case.body, stage)

    def real_fields(self, body: dict[str, Any], stage: Stage) -> dict[str, Any]:
        real: dict[str, Any] = {}
        if isinstance(body.get("invite"), str) and len(body["invite"]) <= LONGEST_INVITE:
            real["invite"] = stage.table["invite"]["code"]
        if isinstance(body.get("move"), str) and isinstance(body.get("number"), int):
            real |= stage.move()
        return real


def is_uuid(value: Any) -> bool:
    try:
        return bool(UUID(str(value)))
    except ValueError:
        return False
