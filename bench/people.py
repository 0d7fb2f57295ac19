"""People at tables: they think, make their moves, and hear of the moves of others. All of them share one thread.

Every acknowledged move is noted, so that it can be compared with the log afterwards.
"""

import asyncio
import json
import random
import re
import resource
import time
from collections import Counter
from collections.abc import Coroutine, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from itertools import cycle, islice
from typing import Any, NamedTuple
from uuid import UUID

from bench.measure import Measure
from bench.moves import move_request
from bench.stage import Match
from bench.wire import HOST, content_length, request

ACKNOWLEDGED = (200, 201)
HELD = 20
"""Seconds for which a position is held."""
PATIENCE = 30
"""Seconds after which a request without an answer is given up."""
STREAMS = 4
"""Every fourth watcher follows the stream of events; the others hold positions."""
SHORT = 0.2
"""Seconds before a request is sent again, if the server does not say how many."""
NEW_NUMBER = re.compile(rb'"number": ?(\d+)')
RETRY_AFTER = re.compile(rb"\r\nretry-after: (\d+)", re.IGNORECASE)
ETAG = re.compile(rb"\r\netag: ([^\r]+)", re.IGNORECASE)
CLOSES = re.compile(rb"\r\nconnection: close", re.IGNORECASE)


class Answer(NamedTuple):
    """An answer to a request. The status is 0 if none came."""

    status: int
    head: bytes
    body: bytes

    @property
    def retry_after(self) -> int | None:
        found = RETRY_AFTER.search(self.head)
        return int(found[1]) if found else None

    @property
    def refusal(self) -> str:
        if not self.status:
            return "no answer"
        return f"{self.status}{'' if self.retry_after is None else ' with Retry-After'}"


NO_ANSWER = Answer(0, b"", b"")
ALLOWED = ("503 with Retry-After", "429 with Retry-After")
"""The refusals that a loaded server may send."""


class Line:
    """A connection, which is opened again when it has been closed."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.reader: asyncio.StreamReader
        self.writer: asyncio.StreamWriter | None = None

    async def ask(self, sent: bytes) -> Answer:
        try:
            async with asyncio.timeout(PATIENCE):
                head = await self.begin(sent)
                body = await self.reader.readexactly(content_length(head))
        except (OSError, EOFError):
            self.close()
            return NO_ANSWER
        if CLOSES.search(head):
            self.close()
        return Answer(int(head[9:12]), head, body)

    async def begin(self, sent: bytes) -> bytes:
        """Send a request, and return the head of its answer."""
        if self.writer is None:
            self.reader, self.writer = await asyncio.open_connection(HOST, self.port)
        self.writer.write(sent)
        return await self.reader.readuntil(b"\r\n\r\n")

    def close(self) -> None:
        if self.writer is not None:
            self.writer.close()
            self.writer = None


@dataclass
class Journal:
    """What all people together have seen. Times are those of ``time.monotonic``."""

    moves: dict[tuple[UUID, int], str] = field(default_factory=dict)
    """The acknowledged moves."""
    at: list[float] = field(default_factory=list)
    """When each move was acknowledged."""
    answered: list[tuple[float, float]] = field(default_factory=list)
    """For each acknowledged request, when it was sent, and how many seconds it took."""
    took: list[float] = field(default_factory=list)
    """For each move, the seconds from its first request to its acknowledgement."""
    sent: dict[tuple[UUID, int], float] = field(default_factory=dict)
    """When the request for each move was sent, the last one if it was repeated."""
    heard_by_poll: list[float] = field(default_factory=list)
    heard_by_stream: list[float] = field(default_factory=list)
    """The seconds from the request for a move until another player knew of the move."""
    refusals: Counter[str] = field(default_factory=Counter)
    refused_at: list[float] = field(default_factory=list)

    def rate(self, since: float, until: float) -> float:
        return sum(since <= each < until for each in list(self.at)) / (until - since)

    async def refuse(self, answer: Answer) -> None:
        """Note a refusal, and wait as long as it says."""
        self.refusals[answer.refusal] += 1
        self.refused_at.append(time.monotonic())
        await asyncio.sleep(SHORT if answer.retry_after is None else answer.retry_after)


@dataclass
class Table:
    """A match that a script plays, and those who watch it."""

    match: Match
    port: int
    journal: Journal
    think: float

    async def play(self) -> None:
        """Make the moves of the script one after the other. Each is sent again until it is acknowledged."""
        await self.arrive()
        with closing(Line(self.port)) as line:
            for number in range(1, len(self.match.log) + 1):
                await self.move(line, number)
                await asyncio.sleep(self.think * random.uniform(0.5, 1.5))

    async def arrive(self) -> None:
        """Wait a while, so that not all people come at once."""
        await asyncio.sleep(self.think * random.random())

    async def move(self, line: Line, number: int) -> None:
        began = time.monotonic()
        while True:
            self.journal.sent[self.match.table, number] = sent = time.monotonic()
            answer = await line.ask(move_request(self.match, number))
            if answer.status in ACKNOWLEDGED:
                break
            await self.journal.refuse(answer)
        now = time.monotonic()
        self.journal.moves[self.match.table, number] = json.loads(answer.body)["move"]
        self.journal.at.append(now)
        self.journal.answered.append((sent, now - sent))
        self.journal.took.append(now - began)

    async def hold(self, seat: int) -> None:
        """Hold the position of a seat, again and again."""
        known, path = "", f"{self.match.path}/position?wait={HELD}"
        await self.arrive()
        with closing(Line(self.port)) as line:
            while True:
                headers = f"If-None-Match: {known}\r\n" if known else ""
                answer = await line.ask(request("GET", path, self.match.tokens[seat], headers=headers))
                if answer.status == 200:
                    found = ETAG.search(answer.head)
                    known = found[1].decode() if found else ""
                    self.hear(json.loads(answer.body)["next_number"] - 1, seat, self.journal.heard_by_poll)
                elif answer.status != 304 or answer.retry_after is not None:
                    await self.journal.refuse(answer)

    async def follow(self, seat: int) -> None:
        """Follow the stream of events of a seat, and open it again when it ends."""
        sent = request("GET", f"{self.match.path}/events", self.match.tokens[seat])
        await self.arrive()
        while True:
            with closing(Line(self.port)) as line:
                try:
                    async with asyncio.timeout(PATIENCE):
                        head = await line.begin(sent)
                    while int(head[9:12]) == 200:
                        self.hear_all(await self.next_line(line), seat)
                except (OSError, EOFError):
                    head = b""
            await self.journal.refuse(Answer(int(head[9:12]), head, b"") if head else NO_ANSWER)

    async def next_line(self, line: Line) -> bytes:
        async with asyncio.timeout(PATIENCE):
            found = await line.reader.readline()
        if not found:
            raise EOFError
        return found

    def hear_all(self, text: bytes, seat: int) -> None:
        for number in NEW_NUMBER.findall(text):
            self.hear(int(number), seat, self.journal.heard_by_stream)

    def hear(self, number: int, seat: int, heard: list[float]) -> None:
        """Note how long ago a move was sent, if another seat has made it."""
        sent = self.journal.sent.get((self.match.table, number))
        if sent is not None and self.match.log[number - 1][0] != seat:
            heard.append(time.monotonic() - sent)

    async def press(self) -> None:
        """Read the rounds again and again without a pause, and keep to ``Retry-After`` if refused."""
        with closing(Line(self.port)) as line:
            while True:
                answer = await line.ask(request("GET", f"{self.match.path}/rounds", self.match.tokens[0]))
                if answer.status != 200:
                    await self.journal.refuse(answer)


@dataclass
class Crowd:
    """The people at all tables. ``pressing`` further callers, who may be called and sent away, never pause."""

    tables: Sequence[Table]
    watchers: int
    """The number of players at each table who watch the others."""
    pressing: int = 0
    is_over: bool = False

    def tasks(self) -> Iterator[Coroutine[Any, Any, None]]:
        seats = [(table, seat) for table in self.tables for seat in range(self.watchers)]
        yield from (table.play() for table in self.tables)
        yield from (table.hold(seat) if at % STREAMS else table.follow(seat) for at, (table, seat) in enumerate(seats))

    async def live(self) -> None:
        people = [asyncio.create_task(each) for each in self.tasks()]
        pressing: list[asyncio.Task[None]] = []
        while not self.is_over:
            await asyncio.sleep(SHORT)
            for ended in (each for each in people if each.done()):
                ended.result()  # raises what went wrong, if anything
            wanted = list(islice(cycle(self.tables), self.pressing))
            pressing += [asyncio.create_task(table.press()) for table in wanted[len(pressing) :]]
            while len(pressing) > self.pressing:
                pressing.pop().cancel()
        for each in people + pressing:
            each.cancel()
        await asyncio.gather(*people, *pressing, return_exceptions=True)


@contextmanager
def playing(crowd: Crowd) -> Iterator[None]:
    """While this is open, the people play, in a thread of their own."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))  # each watcher is an open file
    with ThreadPoolExecutor(1) as thread:
        ended = thread.submit(lambda: asyncio.run(crowd.live()))
        try:
            yield
        finally:
            crowd.is_over = True
        ended.result()


def lost_or_doubled(matches: Sequence[Match], journal: Journal) -> list[Measure]:
    """Compare the acknowledged moves with the log: which it does not have, and which of its entries nobody has sent.

    One entry a table may be unacknowledged: the move that was under way at the end.
    """
    from tables.models import Move

    acknowledged: dict[UUID, dict[int, str]] = {match.table: {} for match in matches}
    for (table, number), move in journal.moves.items():
        acknowledged[table][number] = move
    lost = doubled = 0
    for table, told in acknowledged.items():
        log = list(Move.objects.filter(table=table).values_list("number", "text"))
        stands = dict(log)
        lost += sum(stands.get(number) != move for number, move in told.items())
        doubled += len(log) - len(stands) + (len(log) > len(told) + 1)
    return [
        Measure("acknowledged moves that are lost", f"of {len(journal.moves)}", "", lost, floor=0),
        Measure("moves that are doubled", "", "", doubled, floor=0),
    ]
