"""Clients that request speech repeatedly, each as soon as it has its complete previous response."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence

import aiohttp

from .errors import LoadError
from .service import Service
from .summary import Answer, Window
from .texts import Text

REQUEST_S = 120.0
"""The time limit of a response, with every client ahead of it in the queue."""

LONGEST_RETRY_S = 5.0


class Crowd:
    """Several simultaneous clients of one service.

    The measurement window starts when each client has had one response, so that the initial rush is over, and ends
    before the first of them stops.
    """

    def __init__(self, service: Service, texts: Sequence[Text], clients: int, seconds: float) -> None:
        self._service = service
        self._texts = texts
        self._clients = clients
        self._seconds = seconds
        self._answers: list[Answer] = []
        self._arrived = 0
        self._begins = 0.0

    async def run(self) -> tuple[list[Answer], Window]:
        """All responses, and the measurement window. Before it, one client speaks every text once."""
        timeout = aiohttp.ClientTimeout(total=REQUEST_S)
        headers = {"Authorization": f"Bearer {self._service.key}"}
        connector = aiohttp.TCPConnector(limit=0)
        async with aiohttp.ClientSession(
            self._service.address, headers=headers, timeout=timeout, connector=connector
        ) as session:
            for index in range(len(self._texts)):
                await self._ask(session, index)
            await asyncio.gather(*(self._client(session, index) for index in range(self._clients)))
        return self._answers, Window(self._begins, self._begins + self._seconds)

    async def _client(self, session: aiohttp.ClientSession, index: int) -> None:
        self._answers.append(await self._ask(session, index))
        self._arrived += 1
        if self._arrived == self._clients:
            self._begins = time.perf_counter()
        while self._arrived < self._clients or time.perf_counter() < self._begins + self._seconds:
            index += 1
            self._answers.append(await self._ask(session, index))

    async def _ask(self, session: aiohttp.ClientSession, index: int) -> Answer:
        body = {**self._texts[index % len(self._texts)], "format": "pcm"}
        asked = time.perf_counter()
        try:
            async with session.post("/v1/speech", json=body) as response:
                if response.status == 503:
                    return await _refused(response, asked)
                if response.status != 200:
                    raise LoadError(f"the service answered {response.status}: {await response.text()}")
                return await _spoken(response, asked)
        except (aiohttp.ClientError, TimeoutError) as error:
            raise LoadError(f"a request failed: {error!r}") from error


async def _spoken(response: aiohttp.ClientResponse, asked: float) -> Answer:
    first_audio, size = None, 0
    async for chunk in response.content.iter_any():
        if first_audio is None:
            first_audio = time.perf_counter()
        size += len(chunk)
    if first_audio is None:
        raise LoadError("an answer had no sound")
    return Answer(asked, time.perf_counter(), first_audio, size)


async def _refused(response: aiohttp.ClientResponse, asked: float) -> Answer:
    ended = time.perf_counter()
    await asyncio.sleep(min(float(response.headers["Retry-After"]), LONGEST_RETRY_S))
    return Answer(asked, ended, None, 0)
