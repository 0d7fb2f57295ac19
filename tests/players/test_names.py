"""Which names are valid, the form in which they are stored, and which names look the same to a reader."""

import pytest

from players.names import BadName, folded, free_number, in_one_form, is_reserved, number_in, with_number
from tests.cast import Caller
from tests.rest.checks import check_refused

WRONG = {
    "Ann\u0378": "unassigned_character",  # left free in the middle of Greek since Unicode 1
    "Ann\uffff": "unassigned_character",  # never a character
    "Ann\ue000": "unassigned_character",
    "An\u2028n": "control_character",
    "Ann\u2029": "control_character",
    "An\tn": "control_character",
    "An\x85n": "control_character",
    "\ufeffAnn": "invisible_character",
    "Ann\u200b": "invisible_character",
    "An\u2060n": "invisible_character",
    "An\u00adn": "invisible_character",
    "Ann\u200d": "invisible_character",  # a joiner joins two letters
    "\u200cAnn": "invisible_character",
    "\ufe0fAnn": "invisible_character",
    "An\U000e0067n": "invisible_character",  # part of a flag, without one
    "An\u3164n": "invisible_character",
    "\u200fAnn": "bidirectional_mark",
    "Ann\u061c": "bidirectional_mark",
    "\u202ennA": "bidirectional_mark",
    "\u0301": "invisible",
    " \u3000": "invisible",
}
FORMS = {
    "\uff21\uff4e\uff4e": "Ann",
    "Zoe\u0308": "Zo\u00eb",
    "  Ann \u00a0 Lee ": "Ann Lee",
    "\u2764\ufe0f": "\u2764\ufe0f",
    "\U0001f468\u200d\U0001f469\u200d\U0001f467": "\U0001f468\u200d\U0001f469\u200d\U0001f467",
    "\u2764\ufe0f\u200d\U0001f525": "\u2764\ufe0f\u200d\U0001f525",
    "\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f": (
        "\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f"
    ),
    "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645": "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
    "\u05d3\u05d5\u05d3": "\u05d3\u05d5\u05d3",
}
SAME = ["Ann", "ANN", "\uff21nn", "Ann\u200b", "\ufeffann", "A\u200dnn", " Ann ", "Ann\ufe0f"]
OTHER = ["Anna", "An n", "Ann 2", "\u00c1nn"]


@pytest.mark.parametrize(("text", "code"), WRONG.items(), ids=ascii)
def test_the_error_names_the_fault(text: str, code: str) -> None:
    with pytest.raises(BadName) as refused:
        in_one_form(text)
    assert refused.value.code == code
    assert code == "invisible" or "U+" in str(refused.value)


@pytest.mark.parametrize(("text", "name"), FORMS.items(), ids=ascii)
def test_a_name_is_stored_in_one_form(text: str, name: str) -> None:
    assert in_one_form(text) == name == in_one_form(name)


def test_names_are_the_same_to_a_reader() -> None:
    assert {folded(name) for name in SAME} == {"ann"}
    assert "ann" not in {folded(name) for name in OTHER}
    assert folded("Stra\u00dfe") == folded("STRASSE")


def test_with_number_and_number_in_are_inverse() -> None:
    names = ["Ann", "x" * 40, "Ann 2", "\u05d3\u05d5\u05d3", "a b" * 13]
    for name in names:
        assert [number_in(with_number(name, number), name) for number in range(1, 13)] == list(range(1, 13))
        assert all(len(with_number(name, number)) <= 40 for number in range(1, 13))
    assert (number_in("Ann 2", "Bob"), number_in("ANN 3", "Ann"), number_in("Ann 2", "Ann 2")) == (None, 3, 1)


@pytest.mark.parametrize("end", [" yz", "\u200dyz"], ids=ascii)
def test_a_cut_name_does_not_end_in_a_space_or_a_joiner(end: str) -> None:
    assert with_number("x" * 37 + end, 2) == "x" * 37 + " 2"


def test_the_lowest_free_number_is_taken() -> None:
    assert [free_number("Ann", taken) for taken in ([], ["ann"], ["ann", "ann 2"], ["ann", "ann 3"])] == [1, 2, 3, 2]


def test_only_the_deleted_player_and_the_words_of_the_setting_are_reserved(settings: object) -> None:
    settings.RESERVED_NAMES = ["Moderator"]  # type: ignore[attr-defined]
    reserved = ["Deleted player", "DELETED\u00a0PLAYER", "Deleted\u200b player", "moderator"]
    assert [is_reserved(name) for name in reserved] == [True] * 4
    assert not any(map(is_reserved, ["Otto", "Deleted", "Deleted player 2", "Moderators"]))


@pytest.mark.parametrize("name", ["Deleted player", "DELETED  PLAYER", "\ufeffAnn", "Ann\u2028", "x" * 39 + "\ufb03"])
def test_every_field_for_a_name_refuses_an_invalid_one(alice: Caller, name: str) -> None:
    register = {"username": "dora", "password": "tiles-and-trains", "name": name}
    check_refused(lambda: Caller().post("players/guest", {"name": name}), 400, "invalid", "name")
    check_refused(lambda: alice.patch("players/me", {"name": name}), 400, "invalid", "name")
    check_refused(lambda: alice.post("players/register", register), 400, "invalid", "name")


@pytest.mark.parametrize("username", ["Moderator", "\u1160\u115f"], ids=ascii)
def test_a_username_must_be_a_valid_name(settings: object, alice: Caller, username: str) -> None:
    settings.RESERVED_NAMES = ["Moderator"]  # type: ignore[attr-defined]
    body = {"username": username, "password": "tiles-and-trains"}
    check_refused(lambda: alice.post("players/register", body), 400, "invalid", "username")


def test_a_person_may_be_called_like_a_bot(spectator: Caller) -> None:
    assert spectator.post("players/guest", {"name": "Otto"}).status == 201
