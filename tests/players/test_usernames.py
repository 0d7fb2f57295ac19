"""Usernames in any case and in any spelling of the same letters; names that readers can see."""

import pytest

from players.models import Player
from tests.cases import for_each
from tests.cast import Answer, Caller, open_table
from tests.players.conftest import PASSWORD
from tests.rest.checks import check_refused

pytestmark = pytest.mark.django_db


def register(username: str, **more: str) -> Answer:
    return Caller().post("players/register", {"username": username, "password": PASSWORD, **more})


def log_in(username: str) -> Answer:
    return Caller().post("players/login", {"username": username, "password": PASSWORD})


ONE_USERNAME = [
    ("Bob", "bob"),
    ("bob", "BOB"),
    ("susi", "\u017fusi"),  # a long s
    ("\u017fusi", "susi"),
    ("\u017fusi", "SUSI"),
    ("fine", "\ufb01ne"),  # a ligature
    ("bob", "\uff42\uff4f\uff42"),  # full width
    ("BOB", "\uff42\uff4f\uff42"),
    ("x2", "x\u00b2"),
    ("K9", "\u212a9"),  # the sign for kelvin
    ("k9", "\u212a9"),
    ("\u00e5sa", "\u212bsa"),  # the sign for angstrom
    ("\u00c9mile", "\u00e9mile"),
]


@pytest.mark.parametrize(("first", "second"), ONE_USERNAME)
def test_two_spellings_of_the_same_letters_are_one_username(first: str, second: str) -> None:
    welcome = register(first)
    assert welcome.status == 201, welcome.text
    answer = check_refused(lambda: register(second), 400, "invalid", "username")
    assert answer.body["errors"][0]["code"] == "username_taken"
    for spelt in (first, second):
        assert log_in(spelt).body["player"] == welcome.body["player"]


TWO_USERNAMES = [("bir", "b\u0131r"), ("b\u0131r", "BIR"), ("masse", "ma\u00dfe"), ("bob", "b\u043eb"), ("e", "\u00e9")]


@pytest.mark.parametrize(("first", "second"), TWO_USERNAMES)
def test_look_alikes_are_two_usernames(first: str, second: str) -> None:
    welcomes = [register(first), register(second)]
    assert [welcome.status for welcome in welcomes] == [201, 201]
    for spelt, welcome in zip((first, second), welcomes, strict=True):
        assert log_in(spelt).body["player"] == welcome.body["player"]


ODD = ["\u0130smail", "i\u0307smail", "\u1e9e", "\u03a3\u03c3\u03c2", "\u0149", "\u01c5", "\u1f80", "\ufdfa", "\u0345a"]


@pytest.mark.parametrize("username", ODD)
@pytest.mark.parametrize("spelt", [str, str.upper, str.lower, str.casefold], ids=lambda spelt: spelt.__name__)
def test_unusual_letters_cause_no_error(username: str, spelt: type[str]) -> None:
    first = register(username).status
    second = register(spelt(username)).status
    assert {first, second} <= {201, 400}
    assert log_in(username).status == (200 if first == 201 else 401)
    assert log_in(spelt(username)).status in {200, 401}


def test_an_account_of_createsuperuser_is_found_in_any_case() -> None:
    Player.objects.create_superuser("Keeper", PASSWORD)
    assert log_in("keePER").status == 200
    check_refused(lambda: register("keeper"), 400, "invalid", "username")


GROWING = {"blessing": "\ufdfa" * 4, "blessings": "\ufdfa" * 60, "ligatures": "\ufb01" * 31, "more": "\ufb03" * 60}


@pytest.mark.parametrize("username", GROWING.values(), ids=GROWING)
def test_a_username_that_is_too_long_in_its_normal_form_is_refused(username: str) -> None:
    """These letters become many of another spelling, and so more than the column holds."""
    check_refused(lambda: register(username), 400, "invalid", "username")


@pytest.mark.parametrize("username", GROWING.values(), ids=GROWING)
def test_logging_in_with_such_a_username_causes_no_error(username: str) -> None:
    assert log_in(username).status == 401


@pytest.mark.parametrize("username", ["\ufdfa", "\u2474", "\u037a", "x\u00bd"], ids=ascii)
def test_a_username_that_is_invalid_in_its_normal_form_is_refused(username: str) -> None:
    """Spelt out they have spaces, brackets or a slash, which no username may have."""
    check_refused(lambda: register(username), 400, "invalid", "username")


INVISIBLE = ["\u200b", "\u2060\u2060", "\u00ad", "\u200d", "\ufe0f", "\u2063", "\u3000 \u00a0", "\u034f", "\U000e0041"]
CONTROLS = ["A\tB", "A\nB", "A\x1bB", "A\x7fB", "A\x85B"]
TURNS = ["\u202eecilA", "A\u202aB", "A\u202bB", "A\u202cB", "A\u202dB", "A\u2066B", "A\u2067B", "A\u2068B", "A\u2069B"]


@for_each("name", INVISIBLE + CONTROLS + TURNS)
def test_invisible_and_disturbing_names_are_refused(name: str, alice: Caller) -> None:
    check_refused(lambda: Caller().post("players/guest", {"name": name}), 400, "invalid", "name")
    check_refused(lambda: alice.patch("players/me", {"name": name}), 400, "invalid", "name")
    check_refused(lambda: register("bob", name=name), 400, "invalid", "name")


@pytest.mark.parametrize("name", [*INVISIBLE[:6], "\u034f", *CONTROLS, *TURNS], ids=ascii)
def test_invisible_and_disturbing_names_of_tables_are_refused(name: str, alice: Caller) -> None:
    table = open_table(alice)
    check_refused(lambda: alice.post("tables", {"name": name}), 400, "invalid", "name")
    check_refused(lambda: alice.patch(f"tables/{table['id']}", {"name": name}), 400, "invalid", "name")


@pytest.mark.parametrize("name", ["", " ", "\u3000 \u00a0"], ids=ascii)
def test_a_table_needs_no_name(name: str, alice: Caller) -> None:
    assert open_table(alice, name=name)["name"] == ""


BLANKS = ["\u3164", "\u115f", "\uffa0", "\u2800", "\U00013441", "\U0001d159", "Ann\U00016fe4"]


@pytest.mark.parametrize("name", BLANKS, ids=ascii)
def test_letters_that_look_blank_are_invisible(name: str) -> None:
    check_refused(lambda: Caller().post("players/guest", {"name": name}), 400, "invalid", "name")


VISIBLE = [
    "\U0001f468\u200d\U0001f469\u200d\U0001f467",  # a family, joined
    "\u2764\ufe0f",
    "\U0001f3f4\u200d\u2620\ufe0f",
    "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",  # Persian, with a non-joiner
    "\u05d3\u05d5\u05d3",  # Hebrew: turns by itself, and only itself
    "Zo\u00eb",
    "12-12",
    "?",
]


@pytest.mark.parametrize("name", VISIBLE, ids=ascii)
def test_visible_names_are_accepted(name: str) -> None:
    answer = Caller().post("players/guest", {"name": name})
    assert (answer.status, answer.body["player"]["name"]) == (201, name)
