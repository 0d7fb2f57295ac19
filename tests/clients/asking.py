"""The same request by both clients: a test that takes ``ask`` runs once with each."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

import pytest

from mexican_train import AsyncClient, Client, Patience

QUICK = Patience(timeout=5, total=10, attempts=4, first=0.001, most=0.002)
Ask = Callable[..., Any]


def ask_and_wait(url: str, do: Callable[[Any], Any], patience: Patience = QUICK, token: str | None = None) -> Any:
    with Client(url, token, patience=patience) as client:
        answer = do(client)
        return list(answer) if isinstance(answer, Iterator) else answer


def ask_and_await(url: str, do: Callable[[Any], Any], patience: Patience = QUICK, token: str | None = None) -> Any:
    async def run() -> Any:
        async with AsyncClient(url, token, patience=patience) as client:
            answer = do(client)
            return [each async for each in answer] if isinstance(answer, AsyncIterator) else await answer

    return asyncio.run(run())


both = pytest.mark.parametrize("ask", [ask_and_wait, ask_and_await], ids=["sync", "async"])
