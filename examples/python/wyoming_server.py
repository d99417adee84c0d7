"""A Wyoming server: speech for Home Assistant and for other voice assistants.

python wyoming_server.py --uri tcp://0.0.0.0:10200
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import os
import sys
from functools import partial
from typing import cast

from libspeech import (
    SAMPLE_RATE,
    ChunkStream,
    Engine,
    InvalidRequestError,
    Language,
    LiveStream,
    SpeechError,
    VoiceId,
    __version__,
    voices,
)
from wyoming.audio import AudioChunk, AudioStart, AudioStop
from wyoming.error import Error
from wyoming.event import Event
from wyoming.info import Attribution, Describe, Info, TtsProgram, TtsVoice
from wyoming.ping import Ping, Pong
from wyoming.server import AsyncEventHandler, AsyncServer
from wyoming.tts import (
    Synthesize,
    SynthesizeChunk,
    SynthesizeStart,
    SynthesizeStop,
    SynthesizeStopped,
    SynthesizeTextFormat,
    SynthesizeVoice,
)

LISTING = voices()
LANGUAGE_NAMES = {"en-US": "English", "hi-IN": "Hindi"}
LIBRARY = Attribution("The libspeech authors", "https://libspeech.io")
MODEL = Attribution("Kokoro-82M by hexgrad", "https://huggingface.co/hexgrad/Kokoro-82M")
FORMAT = {"rate": SAMPLE_RATE, "width": 2, "channels": 1}

# A disconnect is detected between two audio events, so each event is a tenth of a second.
BYTES_PER_EVENT = SAMPLE_RATE // 10 * 2


async def main() -> None:
    """Run the program."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--uri", default="tcp://127.0.0.1:10200", help="tcp://HOST:PORT or unix://PATH")
    parser.add_argument("--bundle", help="the voice bundle [default: the installed one]")
    parser.add_argument("--voice", default=LISTING.default_voice, help="of requests that name none")
    parser.add_argument("--zeroconf", metavar="NAME", help="lets Home Assistant discover it, under this name")
    options = parser.parse_args()
    chosen(SynthesizeVoice(options.voice), options.voice)  # rejects an unknown voice
    server = AsyncServer.from_uri(options.uri)
    # One sentence per core at a time, with one thread each.
    with Engine(options.bundle, threads=1, max_concurrency=os.cpu_count()) as engine:
        await asyncio.to_thread(engine.warm_up)
        if options.zeroconf:
            await announce(options.uri, options.zeroconf)
        print(f"listening at {options.uri}", file=sys.stderr, flush=True)
        await server.run(partial(Connection, engine, options.voice))


async def announce(uri: str, name: str) -> None:
    """Announce the server in the local network."""
    from wyoming.zeroconf import HomeAssistantZeroconf  # needs `pip install wyoming[zeroconf]`

    await HomeAssistantZeroconf(port=int(uri.rpartition(":")[2]), name=name).register_server()


def description() -> Info:
    """The description of the server.

    Every voice speaks every language, but a request of this protocol names only a voice. So each voice is announced
    once per language: as ``en-US-aria`` and as ``hi-IN-aria``.
    """
    installed = [
        TtsVoice(
            name=f"{language}-{voice.id}",
            description=f"{voice.name} ({LANGUAGE_NAMES.get(language, language)})",
            attribution=MODEL,
            installed=True,
            version=__version__,
            languages=[language],
        )
        for language in LISTING.languages
        for voice in LISTING.voices
    ]
    program = TtsProgram(
        name="libspeech",
        description="Natural speech on the CPU, offline",
        attribution=LIBRARY,
        installed=True,
        version=__version__,
        voices=installed,
        supports_synthesize_streaming=True,
    )
    return Info(tts=[program])


def chosen(voice: SynthesizeVoice | None, default: str) -> tuple[Language, VoiceId]:
    """The language and the voice for an announced name, for the name of a voice, or for a language."""
    name = (voice and voice.name) or default
    language = (voice and voice.language) or LISTING.languages[0]
    for prefix in LISTING.languages:
        if name.startswith(f"{prefix}-"):
            language, name = prefix, name[len(prefix) + 1 :]
    for known in LISTING.voices:
        if known.id == name:
            # The engine rejects an unsupported language.
            return cast(Language, language), known.id
    raise InvalidRequestError(f"unsupported voice {name!r}; use {', '.join(known.id for known in LISTING.voices)}")


class Connection(AsyncEventHandler):
    """A client connection. Speech runs in a task, so that later events are read and a disconnect is detected."""

    def __init__(
        self, engine: Engine, default_voice: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        super().__init__(reader, writer)
        self._engine = engine
        self._default_voice = default_voice
        #: The last speech that was started.
        self._task: asyncio.Task[None] | None = None
        #: The speech whose text is still arriving.
        self._live: LiveStream | None = None

    async def run(self) -> None:
        """Handle events until the client disconnects: if a write was in progress, a read then fails."""
        with contextlib.suppress(ConnectionError):
            await super().run()

    async def handle_event(self, event: Event) -> bool:
        """Handle an event. After an error the connection closes, because a client may wait for audio until then."""
        try:
            await self._answer(event)
        except SpeechError as error:
            await self._refuse(error)
            return False
        except (AttributeError, KeyError, TypeError):
            await self._refuse(InvalidRequestError(f"a field of {event.type!r} is missing or of another type"))
            return False
        return True

    async def disconnect(self) -> None:
        """Stop the computation when the connection ends."""
        if self._task is not None:
            self._task.cancel()
        if self._live is not None:
            self._live.close()

    async def _answer(self, event: Event) -> None:
        if Describe.is_type(event.type):
            await self.write_event(description().event())
        elif Ping.is_type(event.type):
            await self.write_event(Pong(Ping.from_event(event).text).event())
        elif SynthesizeStart.is_type(event.type):
            self._start(SynthesizeStart.from_event(event))
        elif self._live is not None:
            self._continue(self._live, event)
        elif Synthesize.is_type(event.type):
            self._speak(self._whole(Synthesize.from_event(event)))

    def _whole(self, request: Synthesize) -> ChunkStream:
        language, voice = chosen(request.voice, self._default_voice)
        if request.text_format == SynthesizeTextFormat.SSML:
            return self._engine.stream(request.text, language=language, voice=voice, ssml=True)
        return self._engine.stream_long(request.text, language=language, voice=voice, latency="low")

    def _start(self, request: SynthesizeStart) -> None:
        if request.text_format == SynthesizeTextFormat.SSML:
            raise InvalidRequestError("a document of SSML cannot come in pieces: send it with 'synthesize'")
        if self._live is not None:
            raise InvalidRequestError("a text in pieces has begun before the last one has ended")
        language, voice = chosen(request.voice, self._default_voice)
        self._live = self._engine.live(language=language, voice=voice, latency="low")
        self._speak(self._live, in_pieces=True)

    def _continue(self, live: LiveStream, event: Event) -> None:
        """Accept a piece of a text. Clients also send the whole text for older servers; it is ignored."""
        if SynthesizeChunk.is_type(event.type):
            live.push(SynthesizeChunk.from_event(event).text)
        elif SynthesizeStop.is_type(event.type):
            live.finish()
            self._live = None

    def _speak(self, speech: ChunkStream, *, in_pieces: bool = False) -> None:
        """Start to speak after the previous speech has ended."""
        self._task = asyncio.create_task(self._send(self._task, speech, in_pieces))

    async def _send(self, before: asyncio.Task[None] | None, speech: ChunkStream, in_pieces: bool) -> None:
        try:
            async with speech:
                if before is not None:
                    await before
                await self._send_audio(speech)
            if in_pieces:
                await self.write_event(SynthesizeStopped().event())
        except SpeechError as error:
            await self._refuse(error)
            await self.stop()
        except ConnectionError:
            pass  # the client has disconnected

    async def _send_audio(self, speech: ChunkStream) -> None:
        await self.write_event(AudioStart(**FORMAT).event())
        async for chunk in speech:
            for start in range(0, len(chunk.pcm), BYTES_PER_EVENT):
                audio = chunk.pcm[start : start + BYTES_PER_EVENT]
                await self.write_event(AudioChunk(audio=audio, **FORMAT).event())
        await self.write_event(AudioStop().event())

    async def _refuse(self, error: SpeechError) -> None:
        await self.write_event(Error(text=str(error), code=error.type).event())


if __name__ == "__main__":
    try:
        asyncio.run(main())
    except SpeechError as error:
        sys.exit(f"{error.type}: {error}")
    except KeyboardInterrupt:
        sys.exit(130)
