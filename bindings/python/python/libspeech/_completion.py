"""Waits for an operation of the native module, by blocking a thread or in an event loop."""

from __future__ import annotations

import asyncio
import contextlib
import os
import queue
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

#: Called by the native module at the end, from its own thread, with a result or with an exception.
Callback = Callable[[T | None, BaseException | None], None]

#: Starts an operation, which calls the callback at its end.
Start = Callable[[Callback[T]], None]

#: The longest uninterrupted block of a thread, in seconds. On Windows a blocked thread does not notice Ctrl-C.
_POLL_INTERVAL = 0.1 if os.name == "nt" else None


def wait(start: Start[T], cancel: Callable[[], None]) -> T:
    """Starts an operation, and blocks until it is complete. An exception meanwhile, such as Ctrl-C, cancels it."""
    outcomes: queue.SimpleQueue[tuple[T | None, BaseException | None]] = queue.SimpleQueue()
    try:
        start(lambda result, error: outcomes.put((result, error)))
        return _result(*_get(outcomes))
    except BaseException:
        cancel()
        raise


async def wait_async(start: Start[T], cancel: Callable[[], None]) -> T:
    """As `wait`, in an event loop, without blocking it."""
    loop = asyncio.get_running_loop()
    outcome: asyncio.Future[tuple[T | None, BaseException | None]] = loop.create_future()

    def callback(result: T | None, error: BaseException | None) -> None:
        # A closed loop raises RuntimeError; nobody then waits for the outcome.
        with contextlib.suppress(RuntimeError):
            loop.call_soon_threadsafe(_settle, outcome, (result, error))

    try:
        start(callback)
        return _result(*await outcome)
    except BaseException:
        cancel()
        raise


def _get(outcomes: queue.SimpleQueue[T]) -> T:
    while True:
        try:
            return outcomes.get(timeout=_POLL_INTERVAL)
        except queue.Empty:
            continue


def _settle(future: asyncio.Future[T], value: T) -> None:
    if not future.done():
        future.set_result(value)


def _result(result: T | None, error: BaseException | None) -> T:
    if error is not None:
        raise error
    return result  # type: ignore[return-value]  # None is the result of an operation that has none
