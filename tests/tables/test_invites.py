"""Which invite codes a text contains, as people pass them on."""

import pytest

from tables import models
from tables.invites import codes_in
from tests.cast import Caller, open_table

CODE = "3KL9Q4Y9SU"


@pytest.mark.parametrize(
    "text",
    [
        *(
            "3KL9Q4Y9SU",
            "3kl9q4y9su",
            " 3KL9Q-4Y9SU ",
            "3KL9Q 4Y9SU",
            "3kl9q\N{NO-BREAK SPACE}4y9su",
            "3KL9Q\N{EN DASH}4Y9SU",
        ),
        *("https://play.example.org/join/3KL9Q4Y9SU/", "https://play.example.org/join/3KL9Q4Y9SU/?utm=friends"),
        *("Come on Friday! The code: 3KL9Q 4Y9SU.", "(3KL9Q-4Y9SU)", "MERRY 3KL9Q 4Y9SU WALTZ"),
    ],
)
def test_a_code_is_found(text: str) -> None:
    assert CODE in codes_in(text)


@pytest.mark.parametrize("text", ["Merry Waltz", "MERRYWALTZ", "\n Merry Waltz "])
def test_a_code_of_letters_alone_is_found_if_the_text_has_nothing_else(text: str) -> None:
    assert codes_in(text) == ["MERRYWALTZ"]


@pytest.mark.parametrize("text", ["Please start these games after seven", "Merry Waltz!"])
def test_two_words_of_a_sentence_are_not_a_code(text: str) -> None:
    assert codes_in(text) == []


def test_a_code_in_one_piece_comes_before_pairs_of_words_that_look_like_halves() -> None:
    assert codes_in("TEAM2 ROOM3 HALL4 DESK5 LANE6 GATE7 PARK8 3KL9Q4Y9SU")[0] == CODE


@pytest.mark.parametrize(
    "text", ["", "3KL9Q4Y9S", "3KL9Q4Y9SUX", "3KL9Q  4Y9SU", "3KL9Q\n4Y9SU", "3KL 9Q4 Y9SU", "3KL9Q0Y9SU"]
)
def test_other_texts_contain_no_code(text: str) -> None:
    assert codes_in(text) == []


def test_every_code_has_a_digit(monkeypatch: pytest.MonkeyPatch) -> None:
    characters = iter("MERRYWALTZ3KL9Q4Y9SU")
    monkeypatch.setattr("secrets.choice", lambda _: next(characters))
    assert models.new_invite_code() == CODE


def test_the_api_accepts_the_same_texts(alice: Caller, bob: Caller) -> None:
    table = open_table(alice)
    code = table["invite"]["code"].lower()
    assert bob.get(f"invites/{code[:5]}-{code[5:]}").status == 200
    assert bob.post("tables/join", {"invite": f"Come! {code[:5]} {code[5:]}"}).status == 200
