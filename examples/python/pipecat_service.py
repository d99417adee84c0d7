"""A text-to-speech service for Pipecat: the answer of a language model is spoken while it is generated.

python pipecat_service.py "First this. Then that."
"""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import AsyncGenerator
from dataclasses import dataclass, field
from typing import Any, cast

from libspeech import SAMPLE_RATE, CancelledError, Chunk, Engine, LiveStream, SpeechError, VoiceId
from libspeech import Language as SpeechLanguage
from live_socket import LiveSocket, SocketChunk, SocketStream
from pipecat.frames.frames import (
    CancelFrame,
    EndFrame,
    ErrorFrame,
    Frame,
    InterruptionFrame,
    StartFrame,
    TTSAudioRawFrame,
    TTSSpeakFrame,
    TTSStoppedFrame,
)
from pipecat.pipeline.pipeline import Pipeline
from pipecat.pipeline.worker import PipelineParams, PipelineWorker
from pipecat.processors.frame_processor import FrameDirection
from pipecat.services.settings import TTSSettings
from pipecat.services.tts_service import TextAggregationMode, TTSService
from pipecat.transcriptions.language import Language
from pipecat.utils.types import NOT_GIVEN, NotGiven
from pipecat.workers.runner import WorkerRunner

#: How many seconds of audio to emit ahead of playback. An interruption then discards little computed audio.
AHEAD = 10.0
LANGUAGES = {"en": "en-US", "hi": "hi-IN"}


@dataclass
class LibspeechTTSSettings(TTSSettings):
    """Settings that may change while the service runs. They apply from the next answer on.

    Parameters
    ----------
    rate : float
        The speaking rate, 0.5 to 2.
    """

    rate: float | NotGiven = field(default_factory=lambda: NOT_GIVEN)


class LibspeechTTSService(TTSService):
    """Speaks each answer through its own live stream, which accepts the tokens of the language model directly.

    Parameters
    ----------
    engine : Engine, optional
        A shared engine. By default the service creates its own engine, and closes it.
    url, api_key : str, optional
        The live route of a service and its API key, instead of an engine.
    settings : LibspeechTTSSettings, optional
        The voice, the language and the rate.
    kwargs
        Options of ``TTSService``. With ``text_aggregation_mode=TextAggregationMode.SENTENCE`` Pipecat splits the text
        into sentences; then the first one is spoken slightly later.
    """

    Settings = LibspeechTTSSettings
    _settings: LibspeechTTSSettings

    def __init__(
        self,
        *,
        engine: Engine | None = None,
        url: str | None = None,
        api_key: str = "",
        settings: LibspeechTTSSettings | None = None,
        **kwargs: Any,
    ) -> None:
        chosen = self.Settings(model=None, voice="aria", language=Language.EN_US, rate=1.0)
        if settings is not None:
            chosen.apply_update(settings)
        kwargs.setdefault("text_aggregation_mode", TextAggregationMode.TOKEN)
        # An answer ends with its last sample, not when the language model pauses for some seconds.
        kwargs.setdefault("stop_frame_timeout_s", 60.0)
        super().__init__(
            settings=chosen,
            sample_rate=SAMPLE_RATE,
            push_start_frame=True,
            push_text_frames=False,  # they come with the timestamps of the words
            append_trailing_space=True,  # of sentences
            **kwargs,
        )
        self._engine = engine or (LiveSocket(url, api_key) if url else Engine())
        self._owns_engine = engine is None
        #: The answers in progress by the identifier of their audio context.
        self._speeches: dict[str, _Speech] = {}
        #: Only one answer is emitted at a time, in starting order.
        self._turn = asyncio.Lock()
        #: The end of playback of the emitted audio.
        self._played_until = 0.0

    def can_generate_metrics(self) -> bool:
        """Pipecat measures the time to the first audio, and the characters."""
        return True

    @property
    def supports_processing_metrics(self) -> bool:
        """False, because the audio arrives after the call that accepts the text."""
        return False

    def language_to_service_language(self, language: Language) -> str | None:
        """The library's name of a language, or None."""
        return LANGUAGES.get(language.value.split("-")[0])

    async def start(self, frame: StartFrame) -> None:
        """Warm up the engine, so that the first answer is as fast as later ones."""
        await super().start(frame)
        await asyncio.to_thread(self._engine.warm_up)

    async def process_frame(self, frame: Frame, direction: FrameDirection) -> None:
        """Record that playback stops at an interruption."""
        if isinstance(frame, InterruptionFrame):
            self._played_until = 0.0
        await super().process_frame(frame, direction)

    async def run_tts(self, text: str, context_id: str) -> AsyncGenerator[Frame | None, None]:
        """Accept a piece of an answer's text. A task emits the audio."""
        try:
            if context_id not in self._speeches:
                self._speeches[context_id] = self._begin(context_id)
            self._speeches[context_id].push(text)
            await self.start_tts_usage_metrics(text)
            yield None
        except CancelledError:
            pass  # interrupted meanwhile
        except SpeechError as error:
            yield ErrorFrame(f"{error.type}: {error}")
            await self.remove_audio_context(context_id)

    async def flush_audio(self, context_id: str | None = None) -> None:
        """End the text of an answer."""
        speech = self._speeches.get(context_id or "")
        if speech is not None:
            speech.live.finish()

    async def on_audio_context_interrupted(self, context_id: str) -> None:
        """Stop the computation: the user has begun to talk."""
        speech = self._speeches.pop(context_id, None)
        if speech is not None:
            await self._abandon(speech)

    async def cancel(self, frame: CancelFrame) -> None:
        """Stop everything."""
        await super().cancel(frame)
        await self._abandon_all()

    async def cleanup(self) -> None:
        """Stop everything, and release the engine."""
        await super().cleanup()  # type: ignore[no-untyped-call]
        await self._abandon_all()
        if self._owns_engine:
            self._engine.close()

    async def _abandon_all(self) -> None:
        while self._speeches:
            await self._abandon(self._speeches.popitem()[1])

    async def _abandon(self, speech: _Speech) -> None:
        speech.live.close()
        await self.cancel_task(speech.task)

    def _begin(self, context_id: str) -> _Speech:
        live = self._engine.live(
            # The engine rejects unknown values.
            language=cast(SpeechLanguage, self._settings.language),
            voice=cast(VoiceId, self._settings.voice),
            rate=cast(float, self._settings.rate),
            latency="low",
        )
        speech = _Speech(live)
        speech.task = self.create_task(self._send(context_id, speech), name="libspeech")
        return speech

    async def _send(self, context_id: str, speech: _Speech) -> None:
        try:
            async with self._turn:
                async for chunk in speech.live:
                    # Pipecat counts word timestamps from the first audio of a context, so do not start one while
                    # another is playing.
                    await self._wait_for_playback(AHEAD if speech.played_until > 0 else 0.0)
                    audio = TTSAudioRawFrame(chunk.pcm, SAMPLE_RATE, 1, context_id=context_id)
                    await self.append_to_audio_context(context_id, audio)
                    await self.add_word_timestamps(speech.words(chunk), context_id)
                    self._played_until = speech.played_until
            await self.append_to_audio_context(context_id, TTSStoppedFrame(context_id=context_id))
        except CancelledError:
            return  # interrupted: the context is gone
        except SpeechError as error:
            await self.push_error(f"{error.type}: {error}", exception=error)
        self._speeches.pop(context_id, None)
        await self.remove_audio_context(context_id)

    async def _wait_for_playback(self, ahead: float) -> None:
        """Wait until playback has at most ``ahead`` seconds left."""
        delay = self._played_until - ahead - asyncio.get_running_loop().time()
        if delay > 0:
            await asyncio.sleep(delay)


class _Speech:
    """An answer: its text so far, and the timestamps of its words."""

    def __init__(self, live: LiveStream | SocketStream) -> None:
        self.live = live
        #: The task that emits the answer.
        self.task: asyncio.Task[None]
        self._text = ""
        #: The end of the words emitted so far.
        self._given = 0
        #: The end of playback of the computed audio, if playback began with the first chunk.
        self.played_until = 0.0
        #: How long playback has waited for text.
        self._waited = 0.0

    def push(self, text: str) -> None:
        """Add a piece of text."""
        self._text += text
        self.live.push(text)

    def words(self, chunk: Chunk | SocketChunk) -> list[tuple[str, float]]:
        """The words of a chunk with their punctuation, and the seconds to their start."""
        now = asyncio.get_running_loop().time()
        if self.played_until > 0:
            self._waited += max(0.0, now - self.played_until)
        self.played_until = max(now, self.played_until) + chunk.duration
        words = []
        for place, word in enumerate(chunk.words):
            after = chunk.words[place + 1].span.start if place + 1 < len(chunk.words) else chunk.span.stop
            # Punctuation belongs to the previous word.
            end = word.span.stop + len(self._text[word.span.stop : after].split(" ")[0].rstrip())
            words.append((self._text[self._given : end].strip(), self._waited + word.start))
            self._given = end
        return words


async def main() -> None:
    """Say a text in a pipeline that ends in the sound card."""
    from pipecat.transports.local.audio import LocalAudioTransport, LocalAudioTransportParams  # needs pipecat-ai[local]

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("text")
    options = parser.parse_args()
    transport = LocalAudioTransport(LocalAudioTransportParams(audio_out_enabled=True))
    pipeline = Pipeline([LibspeechTTSService(), transport.output()])
    worker = PipelineWorker(pipeline, params=PipelineParams(audio_out_sample_rate=SAMPLE_RATE))
    await worker.queue_frames([TTSSpeakFrame(options.text), EndFrame()])
    runner = WorkerRunner()
    await runner.add_workers(worker)
    await runner.run()


if __name__ == "__main__":
    asyncio.run(main())
