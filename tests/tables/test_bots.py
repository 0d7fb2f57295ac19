"""``GET bots``."""

from rules.mexican_train.bots import BOTS
from tests.cast import Caller
from tests.rest.checks import check_refused


def test_it_works(spectator: Caller) -> None:
    answer = spectator.get("bots")
    assert answer.status == 200
    assert {bot["level"] for bot in answer.body} == set(BOTS) >= {"random", "easy"}
    assert all(bot["likes"] for bot in answer.body)


def test_every_level_can_be_seated(spectator: Caller, alice: Caller) -> None:
    levels = [bot["level"] for bot in spectator.get("bots").body]
    bots = [{"seat": 1 + at, "level": level} for at, level in enumerate(levels)]
    assert alice.post("tables", {"seats": 1 + len(bots), "bots": bots}).status == 201


def test_other_methods_are_refused(alice: Caller) -> None:
    check_refused(lambda: alice.post("bots", {}), 405, "method_not_allowed")
