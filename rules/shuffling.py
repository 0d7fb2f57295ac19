"""Fair deals: a secret and the seats' contributions give an order of tiles that can be checked (``rules.md`` §8).

``docs/fair-deals.md`` describes every byte, so that anybody can check a deal in any language.
"""

import hashlib
import hmac
from collections.abc import Iterator, Sequence

from rules.tiles import Tile, double_set

SECRET_BYTES = 32
DEAL = "mexican-train/deal/1"
FIRST_SEAT = "mexican-train/first-seat/1"
WORD_VALUES = 1 << 32


def commitment_to(secret: bytes) -> str:
    """The commitment that is published before the deal: SHA-256 of the secret, in lower-case hexadecimal."""
    return hashlib.sha256(secret).hexdigest()


def shuffled(secret: bytes, table: str, round_number: int, client_seeds: Sequence[str], max_pip: int) -> list[Tile]:
    """The order of the whole set that follows from these inputs.

    ``table`` is the table's id in lower case with hyphens. ``round_number`` counts from 1. ``client_seeds`` are the
    seats' own contributions in the order of the seats, "" for a seat without one.
    """
    words = word_stream(stream_key(DEAL, secret, table, round_number, client_seeds))
    order = list(double_set(max_pip))
    for last in range(len(order) - 1, 0, -1):
        chosen = below(last + 1, words)
        order[last], order[chosen] = order[chosen], order[last]
    return order


def drawn_seat(secret: bytes, table: str, round_number: int, client_seeds: Sequence[str]) -> int:
    """The first seat if the rules draw it by lot, from the same inputs.

    ``client_seeds`` has one entry for each seat.
    """
    words = word_stream(stream_key(FIRST_SEAT, secret, table, round_number, client_seeds))
    return below(len(client_seeds), words)


def stream_key(purpose: str, secret: bytes, table: str, round_number: int, client_seeds: Sequence[str]) -> bytes:
    """The key of a round's stream.

    Seeds are hashed first, so that no seed can look like another line of the message.
    """
    seeds = [hashlib.sha256(seed.encode()).hexdigest() for seed in client_seeds]
    message = "\n".join([purpose, table, str(round_number), *seeds])
    return hmac.digest(secret, message.encode(), "sha256")


def word_stream(key: bytes) -> Iterator[int]:
    """An endless stream of 32-bit numbers: HMAC-SHA256 of a counter, in blocks of eight big-endian words."""
    counter = 0
    while True:
        block = hmac.digest(key, counter.to_bytes(8, "big"), "sha256")
        for at in range(0, len(block), 4):
            yield int.from_bytes(block[at : at + 4], "big")
        counter += 1


def below(bound: int, words: Iterator[int]) -> int:
    """The next number from 0 to ``bound`` - 1, all equally likely.

    Words that would favour small numbers are skipped.
    """
    limit = WORD_VALUES - WORD_VALUES % bound
    word = next(words)
    while word >= limit:
        word = next(words)
    return word % bound


def is_honest(secret: bytes, commitment: str) -> bool:
    """Whether this secret matches the commitment."""
    return hmac.compare_digest(commitment_to(secret), commitment)
