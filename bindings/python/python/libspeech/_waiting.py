"""Waits for what the native module does on its own threads: in a thread, or in an event loop."""

from __future__ import annotations

import asyncio
import contextlib
import os
import queue
from typing import Callable, Optional, TypeVar

T = TypeVar("T")

#: What the native module calls in the end, from a thread of its own: with a value, or with an error.
Done = Callable[[Optional[T], Optional[BaseException]], None]

#: On Windows a wait cannot be interrupted: so it ends now and then, for Ctrl-C to be seen. In seconds.
_PATIENCE = 0.1 if os.name == "nt" else None


def wait(begin: Callable[[Done[T]], None], cancel: Callable[[], None]) -> T:
    """Begins something, and waits for what comes of it. Whatever interrupts that (Ctrl-C) cancels it."""
    outcomes: queue.SimpleQueue[tuple[T | None, BaseException | None]] = queue.SimpleQueue()
    try:
        begin(lambda value, error: outcomes.put((value, error)))
        return _result(*_first(outcomes))
    except BaseException:
        cancel()
        raise


async def wait_async(begin: Callable[[Done[T]], None], cancel: Callable[[], None]) -> T:
    """The same in an event loop, which does other things meanwhile."""
    loop = asyncio.get_running_loop()
    outcome: asyncio.Future[tuple[T | None, BaseException | None]] = loop.create_future()

    def done(value: T | None, error: BaseException | None) -> None:
        # A loop that is closed refuses it, and then nobody waits any more.
        with contextlib.suppress(RuntimeError):
            loop.call_soon_threadsafe(_settle, outcome, (value, error))

    try:
        begin(done)
        return _result(*await outcome)
    except BaseException:
        cancel()
        raise


def _first(outcomes: queue.SimpleQueue[T]) -> T:
    while True:
        try:
            return outcomes.get(timeout=_PATIENCE)
        except queue.Empty:
            continue


def _settle(future: asyncio.Future[T], value: T) -> None:
    if not future.done():
        future.set_result(value)


def _result(value: T | None, error: BaseException | None) -> T:
    if error is not None:
        raise error
    return value  # type: ignore[return-value]  # None is a value where nothing is asked for
