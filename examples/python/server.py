"""An HTTP service: POST /v1/speech returns a wav file, or streams PCM.

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
    ServiceRequest,
    SpeechError,
    Stream,
    voices,
)

T = TypeVar("T")


class NotFoundError(SpeechError):
    """No such resource. The error type is one of the contract, which defines its status."""

    type: str = "not_found"


class MethodNotAllowedError(SpeechError):
    """The resource does not support the method."""

    type: str = "method_not_allowed"


class State(TypedDict):
    """The state of the application, which every request can read."""

    engine: Engine


@asynccontextmanager
async def lifespan(app: fastapi.FastAPI) -> AsyncIterator[State]:
    """Load the engine once: one sentence per core at a time, with one thread each."""
    with Engine(threads=1, max_concurrency=os.cpu_count()) as engine:
        yield {"engine": engine}


app = fastapi.FastAPI(lifespan=lifespan)


@app.exception_handler(SpeechError)
async def refuse(request: fastapi.Request, error: SpeechError) -> Response:
    """Return the error as JSON, with its status."""
    return Response(error.to_json(), error.http_status or 500, media_type="application/json")


@app.exception_handler(404)
async def not_found(request: fastapi.Request, error: Exception) -> Response:
    """Reject an unknown path."""
    return await refuse(request, NotFoundError(f"unknown path {request.url.path}"))


@app.exception_handler(405)
async def not_allowed(request: fastapi.Request, error: Exception) -> Response:
    """Reject an unsupported method."""
    return await refuse(request, MethodNotAllowedError(f"{request.method} is not for this path"))


@app.get("/v1/speech/voices")
async def listing() -> Response:
    """List the voices and languages."""
    return Response(voices().to_json(), media_type="application/json")


@app.post("/v1/speech")
async def speech(request: fastapi.Request) -> Response:
    """Speak a text. An error before the first audio has its own status."""
    requested = ServiceRequest.from_json(await request.body())
    engine: Engine = request.state.engine
    if requested.format == "wav":
        audio = await unless_disconnected(request, engine.asynthesize(requested.text, **requested.options))
        return Response(audio.wav, headers=headers(audio), media_type="audio/wav")
    stream = engine.stream(requested.text, **requested.options)
    first = await unless_disconnected(request, stream.__anext__())
    return StreamingResponse(pcm(first, stream), headers=headers(stream), media_type="audio/L16")


def headers(audio: Audio | Stream) -> dict[str, str]:
    """The headers of every response with audio."""
    return {
        "X-Sample-Rate": str(audio.sample_rate),
        "X-Characters": str(audio.characters),
        "X-Request-Id": audio.request_id,
    }


async def pcm(first: Chunk, stream: Stream) -> AsyncIterator[bytes]:
    """The samples of a stream. If the client disconnects, FastAPI cancels this generator, which closes the stream."""
    async with stream:
        yield first.pcm
        async for chunk in stream:
            yield chunk.pcm


async def unless_disconnected(request: fastapi.Request, work: Awaitable[T]) -> T:
    """The result of an awaitable, which is cancelled if the client disconnects first."""
    task = asyncio.ensure_future(work)
    disconnection = asyncio.create_task(disconnected(request))
    try:
        await asyncio.wait([task, disconnection], return_when=asyncio.FIRST_COMPLETED)
        if not task.done():
            raise CancelledError("the client disconnected")
        return task.result()
    finally:
        task.cancel()
        disconnection.cancel()


async def disconnected(request: fastapi.Request) -> None:
    """Wait until the client disconnects."""
    while (await request.receive())["type"] != "http.disconnect":
        pass
