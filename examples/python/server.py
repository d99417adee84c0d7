"""A service: POST /v1/speech answers with a wav file, or with pcm while it is made.

uvicorn server:app
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Awaitable
from contextlib import asynccontextmanager
from typing import TypedDict, TypeVar

import fastapi
from fastapi.responses import Response, StreamingResponse
from libspeech import (
    Audio,
    CancelledError,
    Chunk,
    Engine,
    MethodNotAllowedError,
    NotFoundError,
    Request,
    SpeechError,
    Stream,
    voices,
)

T = TypeVar("T")


class State(TypedDict):
    """What every request sees."""

    engine: Engine


@asynccontextmanager
async def lifespan(app: fastapi.FastAPI) -> AsyncIterator[State]:
    """Load the engine once: a session for each core, and one thread each."""
    with Engine(threads=1, sessions=os.cpu_count()) as engine:
        yield {"engine": engine}


app = fastapi.FastAPI(lifespan=lifespan)


@app.exception_handler(SpeechError)
async def refuse(request: fastapi.Request, error: SpeechError) -> Response:
    """Answer with the error as JSON, and its status."""
    return Response(error.to_json(), error.http_status or 500, media_type="application/json")


@app.exception_handler(404)
async def not_found(request: fastapi.Request, error: Exception) -> Response:
    """Refuse a path that is not here, as everything else is refused."""
    return await refuse(request, NotFoundError(f"there is nothing at {request.url.path}"))


@app.exception_handler(405)
async def not_allowed(request: fastapi.Request, error: Exception) -> Response:
    """Refuse a method."""
    return await refuse(request, MethodNotAllowedError(f"{request.method} is not for this path"))


@app.get("/v1/speech/voices")
async def listing() -> Response:
    """List the voices and languages."""
    return Response(voices().to_json(), media_type="application/json")


@app.post("/v1/speech")
async def speech(request: fastapi.Request) -> Response:
    """Speak. Until the first sound is there, what goes wrong is a refusal with its status."""
    asked = Request.from_json(await request.body())
    engine: Engine = request.state.engine
    if asked.format == "wav":
        audio = await unless_left(request, engine.asynthesize(asked))
        return Response(audio.wav, headers=headers(audio), media_type="audio/wav")
    stream = engine.stream(asked)
    first = await unless_left(request, stream.__anext__())
    return StreamingResponse(pcm(first, stream), headers=headers(stream), media_type="audio/L16")


def headers(spoken: Audio | Stream) -> dict[str, str]:
    """What every answer with sound says of it."""
    return {
        "X-Sample-Rate": str(spoken.sample_rate),
        "X-Characters": str(spoken.characters),
        "X-Request-Id": spoken.request_id,
    }


async def pcm(first: Chunk, stream: Stream) -> AsyncIterator[bytes]:
    """The samples of a stream. When the client goes away this is cancelled, and the stream too."""
    async with stream:
        yield first.pcm
        async for chunk in stream:
            yield chunk.pcm


async def unless_left(request: fastapi.Request, work: Awaitable[T]) -> T:
    """The result of this work, which is cancelled if the client goes away first."""
    task = asyncio.ensure_future(work)
    leaving = asyncio.create_task(left(request))
    try:
        await asyncio.wait([task, leaving], return_when=asyncio.FIRST_COMPLETED)
        if not task.done():
            raise CancelledError("the client went away")
        return task.result()
    finally:
        task.cancel()
        leaving.cancel()


async def left(request: fastapi.Request) -> None:
    """Wait until the client goes away."""
    while (await request.receive())["type"] != "http.disconnect":
        pass
