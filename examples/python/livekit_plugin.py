"""Text to speech for LiveKit Agents: speaks the answer of a language model while it is generated.

session = AgentSession(tts=livekit_plugin.TTS(voice="leo"), use_tts_aligned_transcript=True, ...)
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from libspeech import SAMPLE_RATE, Chunk, Engine, Language, LiveStream, SpeechError, VoiceId, __version__
from live_socket import LiveSocket, SocketChunk, SocketStream
from livekit.agents import APIConnectOptions, APIStatusError, tts, utils
from livekit.agents.types import DEFAULT_API_CONNECT_OPTIONS, TimedString


class TTS(tts.TTS[str]):
    """Speech from an engine in this process, or from a service.

    Parameters
    ----------
    engine : Engine, optional
        A shared engine. By default the plugin creates its own engine, and closes it.
    url, api_key : str, optional
        The live route of a service and its API key, instead of an engine.
    language, voice, rate
        As for ``Engine.live``. ``update_options`` changes them.
    """

    def __init__(
        self,
        *,
        engine: Engine | None = None,
        url: str | None = None,
        api_key: str = "",
        language: Language = "en-US",
        voice: VoiceId = "aria",
        rate: float = 1.0,
    ) -> None:
        capabilities = tts.TTSCapabilities(streaming=True, aligned_transcript=True)
        super().__init__(capabilities=capabilities, sample_rate=SAMPLE_RATE, num_channels=1)
        self._engine = engine or (LiveSocket(url, api_key) if url else Engine())
        self._owns_engine = engine is None
        self._language: Language = language
        self._voice: VoiceId = voice
        self._rate = rate

    @property
    def model(self) -> str:
        """The library and its version, for metrics."""
        return f"libspeech-{__version__}"

    @property
    def provider(self) -> str:
        """The name in metrics."""
        return "libspeech"

    def update_options(
        self, *, language: Language | None = None, voice: VoiceId | None = None, rate: float | None = None
    ) -> None:
        """Change the voice of later texts."""
        self._language = language or self._language
        self._voice = voice or self._voice
        self._rate = rate or self._rate

    def prewarm(self) -> None:
        """Warm up the engine, so that the first answer is as fast as later ones. LiveKit calls this at the start."""
        self._engine.warm_up()

    def synthesize(
        self, text: str, *, conn_options: APIConnectOptions = DEFAULT_API_CONNECT_OPTIONS
    ) -> tts.ChunkedStream:
        """Speak a text."""
        return WholeText(self, text, conn_options)

    def stream(self, *, conn_options: APIConnectOptions = DEFAULT_API_CONNECT_OPTIONS) -> tts.SynthesizeStream:
        """Speak a text that is pushed in pieces."""
        return TextInPieces(self, conn_options)

    async def aclose(self) -> None:
        """Release the engine."""
        if self._owns_engine:
            self._engine.close()

    def live(self) -> LiveStream | SocketStream:
        """A live stream with the current options."""
        return self._engine.live(language=self._language, voice=self._voice, rate=self._rate, latency="low")


class WholeText(tts.ChunkedStream):
    """The speech of a complete text. ``aclose`` stops the computation."""

    def __init__(self, speaker: TTS, text: str, conn_options: APIConnectOptions) -> None:
        super().__init__(tts=speaker, input_text=text, conn_options=conn_options)
        self._speaker = speaker

    async def _run(self, output_emitter: tts.AudioEmitter) -> None:
        async with reported_errors(), self._speaker.live() as live:
            initialize(output_emitter, live, stream=False)
            live.push(self._input_text)
            live.finish()
            await emit(output_emitter, live, Transcript(self._input_text))


class TextInPieces(tts.SynthesizeStream):
    """The speech of a text in pieces. ``aclose`` stops the computation."""

    def __init__(self, speaker: TTS, conn_options: APIConnectOptions) -> None:
        super().__init__(tts=speaker, conn_options=conn_options)
        self._speaker = speaker

    async def _run(self, output_emitter: tts.AudioEmitter) -> None:
        transcript = Transcript()
        async with reported_errors(), self._speaker.live() as live:
            initialize(output_emitter, live, stream=True)
            feeding = asyncio.create_task(self._feed(output_emitter, live, transcript))
            try:
                await emit(output_emitter, live, transcript)
                await feeding
            except SpeechError:
                if feeding.done():
                    feeding.result()  # raises the error of a rejected text
                raise
            finally:
                await utils.aio.cancel_and_wait(feeding)

    async def _feed(
        self, output_emitter: tts.AudioEmitter, live: LiveStream | SocketStream, transcript: Transcript
    ) -> None:
        """Push the text. LiveKit currently sends a single segment, so a flush marks the end of the input."""
        try:
            async for piece in self._input_ch:
                if isinstance(piece, self._FlushSentinel):
                    continue
                if not transcript.text:
                    self._mark_started()
                    output_emitter.start_segment(segment_id=utils.shortuuid())
                transcript.text += piece
                live.push(piece)
            live.finish()
        except SpeechError:
            live.close()  # ends the loop over its chunks
            raise


class Transcript:
    """A text, and the position up to which its words were returned."""

    def __init__(self, text: str = "") -> None:
        self.text = text
        self._given = 0

    def words(self, chunk: Chunk | SocketChunk) -> list[TimedString]:
        """The words of a chunk, each with the text between it and the previous word. Joined, they equal the text."""
        words = []
        for place, word in enumerate(chunk.words):
            last = place + 1 == len(chunk.words)
            # Punctuation belongs to the previous word.
            after = chunk.span.stop if last else chunk.words[place + 1].span.start
            end = word.span.stop + len(self.text[word.span.stop : after].split(" ")[0].rstrip())
            words.append(TimedString(self.text[self._given : end], start_time=word.start, end_time=word.end))
            self._given = end
        return words

    def rest(self) -> list[TimedString]:
        """The text after the last word."""
        rest = self.text[self._given :]
        return [TimedString(rest)] if rest else []


def initialize(emitter: tts.AudioEmitter, live: LiveStream | SocketStream, *, stream: bool) -> None:
    """Initialize LiveKit's emitter with the audio format."""
    emitter.initialize(
        request_id=live.request_id,
        sample_rate=SAMPLE_RATE,
        num_channels=1,
        mime_type="audio/pcm",
        stream=stream,
    )


async def emit(emitter: tts.AudioEmitter, live: LiveStream | SocketStream, transcript: Transcript) -> None:
    """Pass the audio and the words to LiveKit."""
    async for chunk in live:
        emitter.push_timed_transcript(transcript.words(chunk))
        emitter.push(chunk.pcm)
    emitter.push_timed_transcript(transcript.rest())


@asynccontextmanager
async def reported_errors() -> AsyncIterator[None]:
    """Convert errors to those of LiveKit. Errors of the request are not retried."""
    try:
        yield
    except SpeechError as error:
        raise APIStatusError(
            f"{error.type}: {error}",
            status_code=error.http_status or 500,
            request_id=error.request_id,
            retryable=error.retryable,
        ) from error
