"""The service for Pipecat in real pipelines that end in a transport to a list."""

from __future__ import annotations

import asyncio
import statistics
import sys
import time
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from libspeech import SAMPLE_RATE, Engine, LiveStream
from pipecat.frames.frames import (
    EndFrame,
    ErrorFrame,
    Frame,
    InterruptionFrame,
    LLMFullResponseEndFrame,
    LLMFullResponseStartFrame,
    LLMTextFrame,
    MetricsFrame,
    OutputAudioRawFrame,
    StartFrame,
    TTSAudioRawFrame,
    TTSSpeakFrame,
    TTSStartedFrame,
    TTSStoppedFrame,
    TTSTextFrame,
    TTSUpdateSettingsFrame,
)
from pipecat.metrics.metrics import TTFBMetricsData, TTSUsageMetricsData
from pipecat.observers.base_observer import BaseObserver, FramePushed
from pipecat.pipeline.pipeline import Pipeline
from pipecat.pipeline.worker import PipelineParams, PipelineWorker
from pipecat.processors.aggregators.llm_context import LLMContext
from pipecat.processors.aggregators.llm_response_universal import LLMContextAggregatorPair
from pipecat.services.tts_service import TextAggregationMode, TTSService
from pipecat.transcriptions.language import Language
from pipecat.transports.base_output import BaseOutputTransport
from pipecat.transports.base_transport import TransportParams
from pipecat.workers.runner import WorkerRunner

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from pipecat_service import LibspeechTTSService

ANSWER = "It cost $3.50. Dr. No paid it, and then he went home. It was well-known, wasn't it?"
LONG = "It was a bright cold day in April, and the clocks were striking thirteen. " * 6


class Speaker(BaseOutputTransport):
    """A sound card that plays in real time: Pipecat emits words at their playback time."""

    def __init__(self) -> None:
        super().__init__(TransportParams(audio_out_enabled=True))
        self._until = 0.0
        self.played = b""
        self.first = 0.0

    async def start(self, frame: StartFrame) -> None:
        """Start at once."""
        await super().start(frame)
        await self.set_transport_ready(frame)

    async def write_audio_frame(self, frame: OutputAudioRawFrame) -> bool:
        """Play a frame."""
        now = time.monotonic()
        self.first = self.first or now
        self.played += frame.audio
        self._until = max(now, self._until) + len(frame.audio) / 2 / frame.sample_rate
        await asyncio.sleep(self._until - now)
        return True


class Watch(BaseObserver):
    """Records the frames that the service pushes."""

    def __init__(self, service: TTSService) -> None:
        super().__init__()
        self._service = service
        self.frames: list[Frame] = []

    async def on_push_frame(self, data: FramePushed) -> None:
        """Record a frame."""
        if data.source is self._service:
            self.frames.append(data.frame)

    def of(self, kind: type) -> list[Any]:
        """The frames of a kind."""
        return [frame for frame in self.frames if isinstance(frame, kind)]


class Session:
    """A pipeline of the service, the speaker and the context of the language model."""

    def __init__(self, engine: Engine | Callable[[], TTSService], **options: Any) -> None:
        made = LibspeechTTSService(engine=engine, **options) if isinstance(engine, Engine) else engine()
        self.service: TTSService = made
        self.speaker = Speaker()
        self.watch = Watch(self.service)
        self.context = LLMContext()
        assistant = LLMContextAggregatorPair(self.context).assistant()
        self.worker = PipelineWorker(
            Pipeline([self.service, self.speaker, assistant]),
            params=PipelineParams(audio_out_sample_rate=SAMPLE_RATE, enable_metrics=True, enable_usage_metrics=True),
            observers=[self.watch],
        )

    def run(self, talk: Callable[[Session], Awaitable[None]]) -> None:
        """Run the pipeline during a conversation."""

        async def both() -> None:
            runner = WorkerRunner(handle_sigint=False)
            await runner.add_workers(self.worker)
            running = asyncio.create_task(runner.run())
            try:
                await talk(self)
                await self.worker.queue_frame(EndFrame())
                await asyncio.wait_for(running, 60)
            finally:
                await self.worker.cancel()

        asyncio.run(both())

    async def answer(self, text: str, size: int = 4, end: bool = True) -> None:
        """Queue an answer of a language model, in tokens."""
        tokens = [LLMTextFrame(text[place : place + size]) for place in range(0, len(text), size)]
        ends = [LLMFullResponseEndFrame()] if end else []
        await self.worker.queue_frames([LLMFullResponseStartFrame(), *tokens, *ends])

    async def until_said(self, text: str) -> None:
        """Wait until the context contains a text."""
        await self.until(lambda: self.said() == text, f"{text!r} is not in the context")

    async def until(self, condition: Callable[[], bool], what: str) -> None:
        """Wait until a condition is true."""
        end = time.monotonic() + 30
        while not condition():
            assert time.monotonic() < end, f"{what}; the context has {self.said()!r}"
            await asyncio.sleep(0.01)

    def said(self) -> str:
        """The assistant's messages in the context."""
        messages: list[Any] = list(self.context.get_messages())
        return " | ".join(message["content"] for message in messages)


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    """A shared engine with the real voices."""
    with Engine(threads=1) as engine:
        engine.warm_up()
        yield engine


@pytest.mark.parametrize("mode", list(TextAggregationMode))
def test_an_answer(engine: Engine, mode: TextAggregationMode) -> None:
    async def talk(session: Session) -> None:
        await session.answer(ANSWER)
        await session.until_said(ANSWER)

    session = Session(engine, text_aggregation_mode=mode)
    session.run(talk)
    watch = session.watch
    assert watch.of(ErrorFrame) == []
    audio = watch.of(TTSAudioRawFrame)
    assert {(frame.sample_rate, frame.num_channels) for frame in audio} == {(SAMPLE_RATE, 1)}
    (started,), (stopped,) = watch.of(TTSStartedFrame), watch.of(TTSStoppedFrame)
    order = [frame for frame in watch.frames if frame in [started, stopped, *audio]]
    assert [order[0], order[-1]] == [started, stopped]
    assert {frame.context_id for frame in audio} == {started.context_id} == {stopped.context_id}
    pcm = b"".join(frame.audio for frame in audio)
    assert session.speaker.played.startswith(pcm)  # and then some silence
    # The timing of the pieces determines which sentences begin before their end is known.
    assert len(pcm) == pytest.approx(len(engine.synthesize(ANSWER).pcm), rel=0.3)
    words = watch.of(TTSTextFrame)
    assert " ".join(word.text for word in words) == ANSWER
    assert len(words) > 15
    assert [word.pts for word in words] == sorted(word.pts for word in words)
    span = (words[-1].pts - words[0].pts) / 1e9
    assert 0.5 * len(pcm) / 2 / SAMPLE_RATE < span < len(pcm) / 2 / SAMPLE_RATE


def test_metrics(engine: Engine) -> None:
    async def talk(session: Session) -> None:
        await session.answer(ANSWER)

    session = Session(engine)
    session.run(talk)
    data = [each for frame in session.watch.of(MetricsFrame) for each in frame.data]
    (first,) = [each for each in data if isinstance(each, TTFBMetricsData) and each.value > 0]
    assert 0 < first.value < 10
    (usage,) = [each for each in data if isinstance(each, TTSUsageMetricsData)]
    assert usage.value == len(ANSWER)


def test_a_sentence_is_spoken_before_the_answer_is_complete(engine: Engine) -> None:
    async def talk(session: Session) -> None:
        await session.answer("This is the first sentence. And", end=False)
        await session.until(lambda: session.speaker.played != b"", "nothing is played")
        assert session.watch.of(TTSStoppedFrame) == []
        await session.worker.queue_frames([LLMTextFrame(" that is all."), LLMFullResponseEndFrame()])
        await session.until_said("This is the first sentence. And that is all.")

    Session(engine).run(talk)


def test_words_wait_when_the_text_comes_slowly(engine: Engine) -> None:
    async def talk(session: Session) -> None:
        await session.answer("One. Two", end=False)
        await session.until(lambda: session.speaker.played != b"", "nothing is played")
        await asyncio.sleep(4)
        await session.worker.queue_frames([LLMTextFrame(" three."), LLMFullResponseEndFrame()])
        await session.until_said("One. Two three.")

    session = Session(engine)
    session.run(talk)
    one, two, three = session.watch.of(TTSTextFrame)
    assert (one.text, two.text, three.text) == ("One.", "Two", "three.")
    assert 3.5 < (three.pts - one.pts) / 1e9 < 8


@pytest.mark.parametrize("seconds", [1.0, 2.5])
def test_an_interruption(engine: Engine, monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
    streams: list[LiveStream] = []
    heard_seconds: list[float] = []
    live = engine.live

    def watched(*arguments: Any, **options: Any) -> LiveStream:
        streams.append(live(*arguments, **options))
        return streams[-1]

    async def talk(session: Session) -> None:
        await session.answer(LONG * 20, size=40, end=False)
        await session.until(lambda: session.speaker.played != b"", "nothing is played")
        await asyncio.sleep(seconds)
        assert not streams[0].closed
        await session.worker.queue_frame(InterruptionFrame())
        await session.until(lambda: streams[0].closed, "the computation runs on")
        played = len(session.speaker.played)
        heard_seconds.append(played / 2 / SAMPLE_RATE)
        await asyncio.sleep(0.5)
        assert len(session.speaker.played) - played < SAMPLE_RATE // 10 * 2, "the speech runs on"
        # The next answer is spoken.
        await session.answer("Yes?")
        await session.until(lambda: session.said().endswith(" | Yes?"), "the next answer is not said")

    monkeypatch.setattr(type(engine), "live", lambda self, *arguments, **options: watched(*arguments, **options))
    session = Session(engine)
    session.run(talk)
    assert [stream.closed for stream in streams] == [True, True]
    heard, answer = session.said().split(" | ")
    assert answer == "Yes?"
    assert LONG.startswith(heard)
    with live(latency="low") as stream:
        stream.push(LONG)
        stream.finish()
        times = [word for chunk in stream for word in chunk.words]
    ends = {LONG[: word.span.stop].rstrip(): word.start for word in times}
    begun = [start for text, start in ends.items() if len(text) <= len(heard)]
    assert max(begun) == pytest.approx(heard_seconds[0], abs=0.7)


def test_what_is_said_by_the_application(engine: Engine) -> None:
    async def talk(session: Session) -> None:
        await session.worker.queue_frames([TTSSpeakFrame("First this."), TTSSpeakFrame("Then that.")])
        await session.until_said("First this. | Then that.")

    session = Session(engine)
    session.run(talk)
    assert len(session.watch.of(TTSStartedFrame)) == len(session.watch.of(TTSStoppedFrame)) == 2


def test_what_waits_is_not_said_after_an_interruption(engine: Engine) -> None:
    async def talk(session: Session) -> None:
        await session.worker.queue_frames([TTSSpeakFrame(LONG), TTSSpeakFrame("Then that.")])
        await session.until(lambda: session.speaker.played != b"", "nothing is played")
        await asyncio.sleep(1)
        await session.worker.queue_frame(InterruptionFrame())
        before = time.monotonic()
        await session.answer("Yes?")
        await session.until(lambda: session.said().endswith(" | Yes?"), "the next answer is not said")
        assert time.monotonic() - before < 4, "what was interrupted is waited for"

    session = Session(engine)
    session.run(talk)
    heard, answer = session.said().split(" | ")
    assert answer == "Yes?"
    assert LONG.startswith(heard)


def test_another_voice_and_another_language(engine: Engine) -> None:
    async def talk(session: Session) -> None:
        settings = LibspeechTTSService.Settings
        await session.worker.queue_frames(
            [
                TTSSpeakFrame("Hello."),
                TTSUpdateSettingsFrame(delta=settings(voice="sofia", language=Language.HI, rate=1.5)),
                TTSSpeakFrame("नमस्ते।"),
                TTSUpdateSettingsFrame(delta=settings(language="en-GB")),
                TTSSpeakFrame("Hello."),
            ]
        )

    chosen = LibspeechTTSService.Settings(voice="leo")
    session = Session(engine, settings=chosen)
    session.run(talk)
    contexts: dict[str, bytes] = {}
    for frame in session.watch.of(TTSAudioRawFrame):
        contexts[frame.context_id] = contexts.get(frame.context_id, b"") + frame.audio
    assert list(contexts.values()) == [
        spoken(engine, "Hello.", "en-US", "leo"),
        spoken(engine, "नमस्ते।", "hi-IN", "sofia", 1.5),
        spoken(engine, "Hello.", "en-US", "sofia", 1.5),
    ]


def spoken(engine: Engine, text: str, language: Any, voice: Any, rate: float = 1.0) -> bytes:
    with engine.live(language=language, voice=voice, rate=rate, latency="low") as live:
        live.push(text)
        live.finish()
        return b"".join(chunk.pcm for chunk in live)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"voice": "bob"}, 'invalid_request: unsupported voice "bob"'),
        ({"language": Language.FR}, "invalid_request: unsupported language"),
        ({"rate": 9.0}, "invalid_request: rate is 9"),
    ],
)
def test_what_it_refuses(engine: Engine, settings: dict[str, Any], message: str) -> None:
    async def talk(session: Session) -> None:
        await session.worker.queue_frame(TTSSpeakFrame("Hello."))

    session = Session(engine, settings=LibspeechTTSService.Settings(**settings))
    session.run(talk)
    errors = session.watch.of(ErrorFrame)
    assert message in errors[0].error
    assert session.watch.of(TTSAudioRawFrame) == []


def test_the_time_to_the_first_audio(engine: Engine, capsys: pytest.CaptureFixture[str]) -> None:
    """Measure the time from the first token to the first played samples; all tokens arrive at once."""
    times = []

    async def talk(session: Session) -> None:
        await session.worker.queue_frame(TTSSpeakFrame("Yes."))
        await session.until(lambda: session.speaker.played != b"", "nothing is played")
        await asyncio.sleep(1)
        for _ in range(7):
            session.speaker.first = 0.0
            start = time.monotonic()
            await session.answer(ANSWER)
            await session.until(lambda: session.speaker.first > 0, "nothing is played")
            times.append(session.speaker.first - start)
            await session.worker.queue_frame(InterruptionFrame())
            await asyncio.sleep(0.5)

    Session(engine).run(talk)
    with capsys.disabled():
        print(f"\nPipecat: first audio after {statistics.median(times) * 1000:.0f} ms (median of {len(times)})")
