"""The two clients, ``Client`` and ``AsyncClient``. Each has every function of ``verbs`` as a method."""

from __future__ import annotations

import asyncio
import inspect
import time
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Coroutine, Generator, Iterator
from contextlib import aclosing
from dataclasses import replace
from functools import partial, wraps
from random import random
from types import TracebackType
from typing import Any, Concatenate, ParamSpec, TypeVar

import httpx
from httpx_sse import EventSource, SSEError

from mexican_train import verbs
from mexican_train.answers import Event, MyTableChanged, Page, Position, Status, Table, Welcome
from mexican_train.calls import Call, Tagged, given, held
from mexican_train.exchange import Patience, Pause, exchange
from mexican_train.following import Following, MyFollowing, Passing, Stream

P = ParamSpec("P")
T = TypeVar("T")
VERSION = "0.1.0"
"""The version of this package. The server of the same release has the same number."""
AGENT = f"mexican-train-client/{VERSION}"
UNHELD = 0.25
"""Seconds to pause if a server that was asked to wait answers at once that nothing has changed."""
LOST = (httpx.RequestError, SSEError, Passing)


def sent(verb: Callable[P, Call[T]]) -> Callable[Concatenate[Client, P], T]:
    """Make a method of ``Client`` from a function of ``verbs``."""

    @wraps(verb)
    def method(self: Client, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return self._send(verb(*args, **kwargs))

    return signed(method, verb)


def awaited(verb: Callable[P, Call[T]]) -> Callable[Concatenate[AsyncClient, P], Coroutine[Any, Any, T]]:
    """Make a method of ``AsyncClient`` from a function of ``verbs``."""

    @wraps(verb)
    async def method(self: AsyncClient, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return await self._send(verb(*args, **kwargs))

    return signed(method, verb)


def paged(verb: Callable[P, Call[Page[T]]]) -> Callable[Concatenate[Client, P], Iterator[T]]:
    @wraps(verb)
    def method(self: Client, /, *args: P.args, **kwargs: P.kwargs) -> Iterator[T]:
        call: Call[Page[T]] | None = verb(*args, **kwargs)
        while call:
            page = self._send(call)
            yield from page.results
            call = following_page(call, page)

    return signed(method, verb)


def paged_async(verb: Callable[P, Call[Page[T]]]) -> Callable[Concatenate[AsyncClient, P], AsyncIterator[T]]:
    @wraps(verb)
    async def method(self: AsyncClient, /, *args: P.args, **kwargs: P.kwargs) -> AsyncIterator[T]:
        call: Call[Page[T]] | None = verb(*args, **kwargs)
        while call:
            page = await self._send(call)
            for each in page.results:
                yield each
            call = following_page(call, page)

    return signed(method, verb)


def following_page(call: Call[Page[T]], page: Page[T]) -> Call[Page[T]] | None:
    return replace(call, query={**call.query, **page.following}) if page.following else None


def signed(method: T, verb: Callable[..., Any]) -> T:
    """Set the method's signature for ``help``: ``self``, the verb's parameters, and the type of the answer."""
    own = inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)
    signature = inspect.signature(verb)
    comes_to = str(signature.return_annotation).removeprefix("Call[").removesuffix("]")
    parameters = [own, *signature.parameters.values()]
    method.__signature__ = signature.replace(  # type: ignore[attr-defined]  # every function may have this attribute
        parameters=parameters, return_annotation=comes_to
    )
    return method


class Core:
    """The common part of both clients: token, language, patience, and the headers and arguments of every call."""

    def __init__(self, token: str | None, language: str | None, patience: Patience | None) -> None:
        self.token = token
        self.language = language
        self.patience = patience or Patience()

    @property
    def _headers(self) -> dict[str, str]:
        return given(
            **{"Authorization": f"Bearer {self.token}" if self.token else None, "Accept-Language": self.language}
        )

    def _arguments(self, call: Call[Any]) -> dict[str, Any]:
        """Return the arguments for httpx."""
        headers = {"Accept": "application/json"} | self._headers | dict(call.headers)
        body: dict[str, Any] = {} if call.body is None else {"json": call.body}
        if isinstance(call.body, str):
            headers["Content-Type"], body = "text/plain; charset=utf-8", {"content": call.body.encode()}
        return {"method": call.method, "url": call.path, "params": call.query, "headers": headers, **body}

    def _heed(self, call: Call[Any], answer: Any) -> None:
        """Take the token of a ``Welcome`` for later calls. Delete the token after a call that ``forgets``."""
        if isinstance(answer, Welcome):
            self.token = answer.token
        if call.forgets:
            self.token = None

    def _following(self, table: str | Table, since: int | None, *, said: bool) -> Following:
        return Following(
            path=verbs.at(table, "events"),
            query=verbs.saying(said=said),
            version=since,
            patience=self.patience,
            now=time.monotonic,
            chance=random,
        )

    def _my_following(self, since: str | None) -> MyFollowing:
        return MyFollowing(
            path="players/me/events", since=since or "", patience=self.patience, now=time.monotonic, chance=random
        )


def api_of(server: str) -> str:
    return server.rstrip("/") + "/api/v1/"


class Client(Core):
    """A client whose methods block until the answer arrives. Close it, or use it in a ``with`` statement.

    ``server`` is the URL without a path. ``token`` identifies the caller; without one the caller is a spectator.
    ``language`` is the language of the server's texts, in the form of ``Accept-Language``: ``"nl"``, or ``"hu, en"``
    for the first that it supports. ``patience`` says how long calls are tried. ``transport`` is httpx's: for proxies,
    certificates, or an application in this process.

    >>> with Client(server, token=alice.token, language="nl") as same:
    ...     same.me().name
    ...     same.preset("classic").title
    'Alice'
    'Klassieke Mexican Train, dubbel twaalf'
    """

    def __init__(
        self,
        server: str,
        token: str | None = None,
        *,
        language: str | None = None,
        patience: Patience | None = None,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        super().__init__(token, language, patience)
        self._http = httpx.Client(base_url=api_of(server), headers={"User-Agent": AGENT}, transport=transport)

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    def __enter__(self) -> Client:  # noqa: PYI034  # Python 3.10 has no Self
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _send(self, call: Call[T], patience: Patience | None = None) -> T:
        """Send a call, repeat it if necessary, and return its answer."""
        steps = exchange(call, patience or self.patience, time.monotonic, random)
        do: Callable[[], Any] = partial(next, steps)
        while True:
            try:
                step = do()
            except StopIteration as done:
                self._heed(call, done.value)
                answer: T = done.value
                return answer
            if isinstance(step, Pause):
                time.sleep(step.seconds)
                do = partial(next, steps)
                continue
            try:
                do = partial(steps.send, self._http.request(**self._arguments(call), timeout=step.timeout))
            except httpx.RequestError as lost:
                do = partial(steps.throw, lost)

    def events(
        self, table: str | Table, since: int | None = None, *, said: bool = False
    ) -> Generator[Event, None, None]:
        """Yield the events of a table as they happen, until the match is over or the table is hidden from the caller.

        The events begin after the version ``since``, such as that of a position; without it they begin now. After a
        lost connection the client tries to connect again for up to ``Patience.away`` seconds. No event is lost or
        repeated. If the server no longer has the events of the meantime, a ``Missed`` event contains the position
        after which the events continue. With ``said`` each event has a sentence that describes it, in the client's
        language.

        >>> from mexican_train import Moved, RoundEnded, TableChanged
        >>> for event in alice.events(finished, since=1):
        ...     match event:
        ...         case Moved(type="play", seat=seat, tile=tile, place=train):
        ...             print("Seat", seat, "lays", tile, "on train", train)
        ...         case RoundEnded(result=result):
        ...             print("Points:", result.points)
        ...         case TableChanged(status="finished", next_table=None, winners=winners):
        ...             print("Winners:", winners)
        Seat ... lays ... on train ...
        ...
        Points: (...)
        Winners: (...)
        """
        flow, look = self._following(table, since, said=said), verbs.position(table, said=said)
        while not flow.is_over:
            if flow.version is None and (missed := flow.begin_at(self._send(look, flow.patience_now))):
                yield missed
            yield from self._connected(flow)

    def my_events(self, since: str | None = None) -> Generator[MyTableChanged, None, None]:
        """Yield each change of a table where the caller sits, including tables that the caller joins later.

        Several quick changes of a table come as one event, with the table's latest state. The events begin after the
        event with the ``id`` ``since``; without it they begin now. Lost connections are handled as in ``events``. The
        stream ends when you close it, or with ``NotAuthenticated``.

        >>> changes = alice.my_events(since=earlier)
        >>> change = next(changes)
        >>> change.table, change.status, change.your_turn
        ('...', ...)
        >>> changes.close()
        """
        flow = self._my_following(since)
        while not flow.is_over:
            yield from self._connected(flow)

    def _connected(self, flow: Stream[T]) -> Iterator[T]:
        """Yield the events of one connection of a stream, and then pause before the next connection."""
        lost: Exception | None = None
        try:
            with self._http.stream(
                "GET", flow.path, params=flow.query, headers={**self._headers, **flow.headers}, timeout=flow.timeout
            ) as response:
                if response.status_code != httpx.codes.OK:
                    response.read()
                if not flow.is_open(response):
                    return
                for said in EventSource(response).iter_sse():
                    if event := flow.take(said):
                        yield event
                    if flow.is_cut:
                        break
        except LOST as failure:
            lost = failure
        if not flow.is_over:
            time.sleep(flow.lost(lost))

    def follow(self, table: str | Table, wait: int = 25, *, said: bool = False) -> Generator[Position, None, None]:
        """Yield the position now, and again after every change, until the table is over. This is what a bot needs.

        The server holds each answer until something changes, for at most ``wait`` seconds. Once it has answered, the
        client tolerates an absence of up to ``Patience.away`` seconds. With ``said`` the last move has a sentence, as
        in ``position``.

        >>> for position in alice.follow(table):
        ...     if position.legal_moves:
        ...         _ = alice.play(table, position.legal_moves[0], position.next_number)
        >>> position.status
        'finished'
        """
        for position in self._held(verbs.position(table, said=said), wait):
            yield position
            if position.is_over:
                return

    def follow_tables(
        self,
        status: Status | None = None,
        visibility: verbs.Visibility | None = None,
        limit: int | None = None,
        wait: int = 25,
    ) -> Generator[tuple[Table, ...], None, None]:
        """Yield the newest tables of ``tables``, up to ``limit``, now and again after every change of the list.

        It ends when you close it. The server holds each answer as in ``follow``.

        >>> lobbies = alice.follow_tables(status="open", limit=5)
        >>> [table.status for table in next(lobbies)]
        ['open'...]
        >>> lobbies.close()
        """
        for page in self._held(verbs.tables(status, visibility, limit), wait):
            yield page.results

    def follow_my_tables(
        self,
        status: Status | None = None,
        visibility: verbs.Visibility | None = None,
        limit: int | None = None,
        wait: int = 25,
    ) -> Generator[tuple[Table, ...], None, None]:
        """Yield the newest tables where the caller sits, now and again after every change, as ``follow_tables`` does.

        >>> for mine in alice.follow_my_tables("playing"):
        ...     waiting = [each.name for each in mine if each.your_turn]
        ...     break
        """
        for page in self._held(verbs.my_tables(status, visibility, limit), wait):
            yield page.results

    def _held(self, call: Call[Tagged], wait: int) -> Iterator[Tagged]:
        """Yield the answer now, and again after every change."""
        known: Tagged | None = None
        while True:
            asked_at = time.monotonic()
            patience = self.patience.while_away if known else self.patience
            fresh = self._send(held(call, known, wait), patience)
            if fresh is not known:
                known = fresh
                yield fresh
            elif time.monotonic() - asked_at < 1:
                time.sleep(UNHELD)

    register_guest = sent(verbs.register_guest)
    register = sent(verbs.register)
    login = sent(verbs.login)
    logout = sent(verbs.logout)
    me = sent(verbs.me)
    change_me = sent(verbs.change_me)
    forget_me = sent(verbs.forget_me)
    offer_handover = sent(verbs.offer_handover)
    handover = sent(verbs.handover)
    sessions = sent(verbs.sessions)
    end_session = sent(verbs.end_session)
    export = sent(verbs.export)
    player = sent(verbs.player)
    presets = sent(verbs.presets)
    preset = sent(verbs.preset)
    options = sent(verbs.options)
    preset_differences = sent(verbs.preset_differences)
    check_rules = sent(verbs.check_rules)
    rule_sheet = sent(verbs.rule_sheet)
    rule_sheet_text = sent(verbs.rule_sheet_text)
    bots = sent(verbs.bots)
    tables = paged(verbs.tables)
    my_tables = paged(verbs.my_tables)
    open_table = sent(verbs.open_table)
    table = sent(verbs.table)
    change_table = sent(verbs.change_table)
    invitation = sent(verbs.invitation)
    join = sent(verbs.join)
    take_seat = sent(verbs.take_seat)
    leave_seat = sent(verbs.leave_seat)
    renew_invite = sent(verbs.renew_invite)
    seat_bot = sent(verbs.seat_bot)
    start = sent(verbs.start)
    cancel = sent(verbs.cancel)
    propose_clock = sent(verbs.propose_clock)
    withdraw_clock = sent(verbs.withdraw_clock)
    rematch = sent(verbs.rematch)
    position = sent(verbs.position)
    position_text = sent(verbs.position_text)
    play = sent(verbs.play)
    moves = paged(verbs.moves)
    moves_text = sent(verbs.moves_text)
    explain = sent(verbs.explain)
    hint = sent(verbs.hint)
    rounds = sent(verbs.rounds)
    round = sent(verbs.round)
    deal = sent(verbs.deal)
    set_client_seed = sent(verbs.set_client_seed)
    past_position = sent(verbs.past_position)
    board_svg = sent(verbs.board_svg)
    past_board_svg = sent(verbs.past_board_svg)
    record = sent(verbs.record)
    record_text = sent(verbs.record_text)
    check_record = sent(verbs.check_record)
    webhooks = sent(verbs.webhooks)
    webhook = sent(verbs.webhook)
    add_webhook = sent(verbs.add_webhook)
    change_webhook = sent(verbs.change_webhook)
    try_webhook = sent(verbs.try_webhook)
    remove_webhook = sent(verbs.remove_webhook)


class AsyncClient(Core):
    """The client for asyncio: ``await client.me()``, ``async for position in client.follow(table)``.

    Use it in an ``async with`` statement, or ``await client.aclose()``. It has the parameters of ``Client``.
    """

    def __init__(
        self,
        server: str,
        token: str | None = None,
        *,
        language: str | None = None,
        patience: Patience | None = None,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        super().__init__(token, language, patience)
        self._http = httpx.AsyncClient(base_url=api_of(server), headers={"User-Agent": AGENT}, transport=transport)

    async def aclose(self) -> None:
        """Close the connections."""
        await self._http.aclose()

    async def __aenter__(self) -> AsyncClient:  # noqa: PYI034  # as above
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    async def _send(self, call: Call[T], patience: Patience | None = None) -> T:
        """Send a call, repeat it if necessary, and return its answer."""
        steps = exchange(call, patience or self.patience, time.monotonic, random)
        do: Callable[[], Any] = partial(next, steps)
        while True:
            try:
                step = do()
            except StopIteration as done:
                self._heed(call, done.value)
                answer: T = done.value
                return answer
            if isinstance(step, Pause):
                await asyncio.sleep(step.seconds)
                do = partial(next, steps)
                continue
            try:
                do = partial(steps.send, await self._http.request(**self._arguments(call), timeout=step.timeout))
            except httpx.RequestError as lost:
                do = partial(steps.throw, lost)

    async def events(
        self, table: str | Table, since: int | None = None, *, said: bool = False
    ) -> AsyncGenerator[Event, None]:
        """Like ``Client.events``.

        To stop early, close it: ``async with contextlib.aclosing(client.events(table)) as events``.
        """
        flow, look = self._following(table, since, said=said), verbs.position(table, said=said)
        while not flow.is_over:
            if flow.version is None and (missed := flow.begin_at(await self._send(look, flow.patience_now))):
                yield missed
            async with aclosing(self._connected(flow)) as events:
                async for event in events:
                    yield event

    async def my_events(self, since: str | None = None) -> AsyncGenerator[MyTableChanged, None]:
        """Like ``Client.my_events``. To stop, close it as described for ``events``."""
        flow = self._my_following(since)
        while not flow.is_over:
            async with aclosing(self._connected(flow)) as events:
                async for event in events:
                    yield event

    async def _connected(self, flow: Stream[T]) -> AsyncGenerator[T, None]:
        """Yield the events of one connection of a stream, and then pause before the next connection."""
        lost: Exception | None = None
        try:
            async with self._http.stream(
                "GET", flow.path, params=flow.query, headers={**self._headers, **flow.headers}, timeout=flow.timeout
            ) as response:
                if response.status_code != httpx.codes.OK:
                    await response.aread()
                if not flow.is_open(response):
                    return
                async for said in EventSource(response).aiter_sse():
                    if event := flow.take(said):
                        yield event
                    if flow.is_cut:
                        break
        except LOST as failure:
            lost = failure
        if not flow.is_over:
            await asyncio.sleep(flow.lost(lost))

    async def follow(self, table: str | Table, wait: int = 25, *, said: bool = False) -> AsyncGenerator[Position, None]:
        """Like ``Client.follow``."""
        async for position in self._held(verbs.position(table, said=said), wait):
            yield position
            if position.is_over:
                return

    async def follow_tables(
        self,
        status: Status | None = None,
        visibility: verbs.Visibility | None = None,
        limit: int | None = None,
        wait: int = 25,
    ) -> AsyncGenerator[tuple[Table, ...], None]:
        """Like ``Client.follow_tables``."""
        async for page in self._held(verbs.tables(status, visibility, limit), wait):
            yield page.results

    async def follow_my_tables(
        self,
        status: Status | None = None,
        visibility: verbs.Visibility | None = None,
        limit: int | None = None,
        wait: int = 25,
    ) -> AsyncGenerator[tuple[Table, ...], None]:
        """Like ``Client.follow_my_tables``."""
        async for page in self._held(verbs.my_tables(status, visibility, limit), wait):
            yield page.results

    async def _held(self, call: Call[Tagged], wait: int) -> AsyncGenerator[Tagged, None]:
        """Yield the answer now, and again after every change."""
        known: Tagged | None = None
        while True:
            asked_at = time.monotonic()
            patience = self.patience.while_away if known else self.patience
            fresh = await self._send(held(call, known, wait), patience)
            if fresh is not known:
                known = fresh
                yield fresh
            elif time.monotonic() - asked_at < 1:
                await asyncio.sleep(UNHELD)

    register_guest = awaited(verbs.register_guest)
    register = awaited(verbs.register)
    login = awaited(verbs.login)
    logout = awaited(verbs.logout)
    me = awaited(verbs.me)
    change_me = awaited(verbs.change_me)
    forget_me = awaited(verbs.forget_me)
    offer_handover = awaited(verbs.offer_handover)
    handover = awaited(verbs.handover)
    sessions = awaited(verbs.sessions)
    end_session = awaited(verbs.end_session)
    export = awaited(verbs.export)
    player = awaited(verbs.player)
    presets = awaited(verbs.presets)
    preset = awaited(verbs.preset)
    options = awaited(verbs.options)
    preset_differences = awaited(verbs.preset_differences)
    check_rules = awaited(verbs.check_rules)
    rule_sheet = awaited(verbs.rule_sheet)
    rule_sheet_text = awaited(verbs.rule_sheet_text)
    bots = awaited(verbs.bots)
    tables = paged_async(verbs.tables)
    my_tables = paged_async(verbs.my_tables)
    open_table = awaited(verbs.open_table)
    table = awaited(verbs.table)
    change_table = awaited(verbs.change_table)
    invitation = awaited(verbs.invitation)
    join = awaited(verbs.join)
    take_seat = awaited(verbs.take_seat)
    leave_seat = awaited(verbs.leave_seat)
    renew_invite = awaited(verbs.renew_invite)
    seat_bot = awaited(verbs.seat_bot)
    start = awaited(verbs.start)
    cancel = awaited(verbs.cancel)
    propose_clock = awaited(verbs.propose_clock)
    withdraw_clock = awaited(verbs.withdraw_clock)
    rematch = awaited(verbs.rematch)
    position = awaited(verbs.position)
    position_text = awaited(verbs.position_text)
    play = awaited(verbs.play)
    moves = paged_async(verbs.moves)
    moves_text = awaited(verbs.moves_text)
    explain = awaited(verbs.explain)
    hint = awaited(verbs.hint)
    rounds = awaited(verbs.rounds)
    round = awaited(verbs.round)
    deal = awaited(verbs.deal)
    set_client_seed = awaited(verbs.set_client_seed)
    past_position = awaited(verbs.past_position)
    board_svg = awaited(verbs.board_svg)
    past_board_svg = awaited(verbs.past_board_svg)
    record = awaited(verbs.record)
    record_text = awaited(verbs.record_text)
    check_record = awaited(verbs.check_record)
    webhooks = awaited(verbs.webhooks)
    webhook = awaited(verbs.webhook)
    add_webhook = awaited(verbs.add_webhook)
    change_webhook = awaited(verbs.change_webhook)
    try_webhook = awaited(verbs.try_webhook)
    remove_webhook = awaited(verbs.remove_webhook)
