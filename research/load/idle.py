"""Idle connections next to busy ones."""

from __future__ import annotations

import asyncio
import resource
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from urllib.parse import urlsplit

from .errors import LoadError

REQUEST = b"GET /healthz HTTP/1.1\r\nHost: load\r\n\r\n"

ANSWER_S = 60.0


@dataclass(frozen=True)
class Connection:
    """One connection."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter

    async def ask(self) -> None:
        """Requests the health status, and fails unless the service is healthy."""
        self.writer.write(REQUEST)
        try:
            head = await asyncio.wait_for(self.reader.readuntil(b"\r\n\r\n"), ANSWER_S)
            await asyncio.wait_for(self.reader.readexactly(len(b"ok\n")), ANSWER_S)
        except (OSError, EOFError, TimeoutError) as error:
            raise LoadError(f"an idle connection was not answered: {error!r}") from error
        if not head.startswith(b"HTTP/1.1 200 "):
            raise LoadError(f"an idle connection was answered {head!r}")


@asynccontextmanager
async def idle(address: str, count: int) -> AsyncIterator[None]:
    """Opens connections; each is answered once before and once after the measurement."""
    # This process has a descriptor for each, too.
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    url = urlsplit(address)
    connections = [Connection(*await asyncio.open_connection(url.hostname, url.port)) for _ in range(count)]
    try:
        for connection in connections:
            await connection.ask()
        yield
        for connection in connections:
            await connection.ask()
    finally:
        for connection in connections:
            connection.writer.close()
