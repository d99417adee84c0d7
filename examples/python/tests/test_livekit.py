"""The plugin for LiveKit Agents: through its own interface, and in a session that plays to a list."""

from __future__ import annotations

import asyncio
import statistics
import sys
import time
from collections.abc import AsyncIterable, AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any, cast

import pytest
from libspeech import SAMPLE_RATE, Engine, LiveStream
from livekit import rtc
from livekit.agents import Agent, AgentSession, APIStatusError, tts
from livekit.agents.metrics import TTSMetrics
from livekit.agents.types import USERDATA_TIMED_TRANSCRIPT, TimedString
from livekit.agents.voice import io
from livekit.agents.voice.transcription import TranscriptSynchronizer

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from livekit_plugin import TTS

ANSWER = "It cost $3.50. Dr. No paid it, and then he went home. It was well-known, wasn't it? 😀"
LONG = "It was a bright cold day in April, and the clocks were striking thirteen. " * 40


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    """A shared engine with the real voices."""
    with Engine(threads=1) as engine:
        engine.warm_up()
        yield engine


@pytest.fixture
def streams(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> list[LiveStream]:
    """The streams that the library opens."""
    opened: list[LiveStream] = []
    live = Engine.live

    def watched(self: Engine, *arguments: Any, **options: Any) -> LiveStream:
        opened.append(live(self, *arguments, **options))
        return opened[-1]

    monkeypatch.setattr(Engine, "live", watched)
    return opened


def pieces(text: str, size: int = 4) -> list[str]:
    return [text[place : place + size] for place in range(0, len(text), size)]


async def collected(
    speech: AsyncIterable[tts.SynthesizedAudio],
) -> tuple[list[tts.SynthesizedAudio], list[TimedString]]:
    audio = [each async for each in speech]
    return audio, [word for each in audio for word in each.frame.userdata.get(USERDATA_TIMED_TRANSCRIPT, [])]


def pcm(audio: list[tts.SynthesizedAudio]) -> bytes:
    assert {(each.frame.sample_rate, each.frame.num_channels) for each in audio} == {(SAMPLE_RATE, 1)}
    return b"".join(bytes(each.frame.data) for each in audio)


def check(audio: list[tts.SynthesizedAudio], words: list[TimedString], engine: Engine) -> None:
    assert [each.is_final for each in audio] == [False] * (len(audio) - 1) + [True]
    # The timing of the pieces determines which sentences begin before their end is known.
    assert len(pcm(audio)) == pytest.approx(len(engine.synthesize(ANSWER).pcm), rel=0.3)
    assert "".join(words) == ANSWER
    *timed, rest = words
    assert rest == " 😀"
    starts, ends = [cast(float, word.start_time) for word in timed], [cast(float, word.end_time) for word in timed]
    assert starts == sorted(starts)
    assert all(start < end for start, end in zip(starts, ends, strict=True))
    assert 0 < starts[0] < 0.5
    assert ends[-1] < len(pcm(audio)) / 2 / SAMPLE_RATE < ends[-1] + 1.5


def test_a_whole_text(engine: Engine) -> None:
    async def main() -> None:
        async with TTS(engine=engine) as speaker, speaker.synthesize(ANSWER) as speech:
            check(*await collected(speech), engine)

    asyncio.run(main())


def test_a_text_in_pieces(engine: Engine) -> None:
    async def main() -> None:
        speaker = TTS(engine=engine)
        assert speaker.capabilities.streaming
        assert speaker.capabilities.aligned_transcript
        metrics: list[TTSMetrics] = []
        speaker.on("metrics_collected", metrics.append)
        async with speaker.stream() as stream:
            for piece in pieces(ANSWER):
                stream.push_text(piece)
            stream.end_input()
            check(*await collected(stream), engine)
        assert [(each.characters_count, each.streamed) for each in metrics] == [(len(ANSWER), True)]
        assert 0 < metrics[0].ttfb < 10
        assert metrics[0].metadata is not None
        assert metrics[0].metadata.model_provider == "libspeech"

    asyncio.run(main())


def test_a_sentence_is_spoken_before_the_text_is_complete(engine: Engine) -> None:
    async def main() -> None:
        async with TTS(engine=engine).stream() as stream:
            stream.push_text("This is the first sentence. And")
            assert (await asyncio.wait_for(stream.__anext__(), 30)).frame.duration > 0
            stream.push_text(" that is all.")
            stream.end_input()
            _, words = await collected(stream)
            assert "".join(words).endswith("And that is all.")

    asyncio.run(main())


def test_nothing(engine: Engine) -> None:
    async def main() -> None:
        async with TTS(engine=engine).stream() as stream:
            stream.end_input()
            assert await collected(stream) == ([], [])

    asyncio.run(main())


def test_behind_the_adapter_that_cuts_sentences(engine: Engine) -> None:
    async def main() -> None:
        adapter = tts.StreamAdapter(tts=TTS(engine=engine))
        async with adapter.stream() as stream:
            for piece in pieces("First this, which is not short. Then that, which is not either."):
                stream.push_text(piece)
            stream.end_input()
            audio, _ = await collected(stream)
        assert 2 < len(pcm(audio)) / 2 / SAMPLE_RATE < 8

    asyncio.run(main())


@pytest.mark.parametrize("whole", [True, False])
def test_closing_stops_the_computation(engine: Engine, streams: list[LiveStream], whole: bool) -> None:
    async def main() -> None:
        speaker = TTS(engine=engine)
        speech: Any = speaker.synthesize(LONG) if whole else speaker.stream()
        if not whole:
            speech.push_text(LONG)
        await speech.__anext__()
        assert not streams[0].closed
        await speech.aclose()
        assert streams[0].closed

    asyncio.run(main())


def test_other_options(engine: Engine) -> None:
    async def spoken(speaker: TTS, text: str) -> bytes:
        async with speaker.synthesize(text) as speech:
            return pcm((await collected(speech))[0])

    async def main() -> None:
        speaker = TTS(engine=engine, voice="leo")
        english = await spoken(speaker, "Hello.")
        speaker.update_options(language="hi-IN", voice="sofia", rate=1.5)
        hindi = await spoken(speaker, "नमस्ते।")
        for heard, options in [(english, ("en-US", "leo", 1.0)), (hindi, ("hi-IN", "sofia", 1.5))]:
            language, voice, rate = options
            live: Any = engine.live(language=language, voice=voice, rate=rate, latency="low")  # type: ignore[arg-type]
            live.push("Hello." if language == "en-US" else "नमस्ते।")
            live.finish()
            assert heard == b"".join(chunk.pcm for chunk in live)

    asyncio.run(main())


@pytest.mark.parametrize(
    ("options", "text", "message"),
    [
        ({"voice": "bob"}, "Hello.", 'invalid_request: unsupported voice "bob"'),
        ({"language": "fr"}, "Hello.", "invalid_request: unsupported language"),
        ({}, "a\0b", "invalid_request"),
    ],
)
@pytest.mark.parametrize("whole", [True, False])
def test_what_it_refuses(engine: Engine, options: Any, text: str, message: str, whole: bool) -> None:
    async def main() -> None:
        speaker = TTS(engine=engine, **options)
        speech: Any = speaker.synthesize(text) if whole else speaker.stream()
        if not whole:
            speech.push_text(text)
            speech.end_input()
        with pytest.raises(APIStatusError, match=message) as refused:
            await collected(speech)
        assert refused.value.status_code == 400
        assert not refused.value.retryable
        await speech.aclose()

    asyncio.run(main())


class Speaker(io.AudioOutput):
    """A sound card, in real time."""

    def __init__(self) -> None:
        super().__init__(label="speaker", capabilities=io.AudioOutputCapabilities(pause=False), sample_rate=SAMPLE_RATE)
        self.first = 0.0
        self.begun = 0.0
        self.duration = 0.0
        self._end: asyncio.TimerHandle | None = None

    async def capture_frame(self, frame: rtc.AudioFrame) -> None:
        """Play a frame."""
        await super().capture_frame(frame)
        if self.duration == 0:
            self.begun = time.monotonic()
            self.first = self.first or self.begun
            self.on_playback_started(created_at=time.time())
        self.duration += frame.duration

    def flush(self) -> None:
        """Mark the speech as complete; it plays to its end."""
        super().flush()
        if self.duration > 0:
            left = self.begun + self.duration - time.monotonic()
            self._end = asyncio.get_running_loop().call_later(max(0.0, left), self._finish, False)

    def clear_buffer(self) -> None:
        """Stop at once."""
        if self._end is not None:
            self._end.cancel()
        if self.duration > 0:
            self._finish(True)

    def position(self) -> float:
        """The number of seconds played."""
        return min(self.duration, time.monotonic() - self.begun)

    def _finish(self, interrupted: bool) -> None:
        position, self.duration, self._end = self.position(), 0.0, None
        self.on_playback_finished(playback_position=position, interrupted=interrupted)


class Screen(io.TextOutput):
    """A display that shows the words during playback."""

    def __init__(self) -> None:
        super().__init__(label="screen", next_in_chain=None)
        self.shown = ""

    async def capture_text(self, text: str) -> None:
        """Show a text."""
        self.shown += text

    def flush(self) -> None:
        """The end of an answer."""


def in_session(engine: Engine, talk: Callable[[AgentSession[None], Speaker, Screen], Awaitable[None]]) -> list[str]:
    """The agent's messages in the history of a session, after a conversation."""

    async def main() -> list[str]:
        speaker, screen = Speaker(), Screen()
        synchronized = TranscriptSynchronizer(next_in_chain_audio=speaker, next_in_chain_text=screen)
        session: AgentSession[None] = AgentSession(tts=TTS(engine=engine), use_tts_aligned_transcript=True)
        session.output.audio = synchronized.audio_output
        session.output.transcription = synchronized.text_output
        await session.start(Agent(instructions="Talk."))
        await talk(session, speaker, screen)
        said = [item.text_content or "" for item in session.history.items if item.type == "message"]
        await session.aclose()
        await synchronized.aclose()
        return said

    return asyncio.run(main())


async def model() -> AsyncIterator[str]:
    for piece in pieces(ANSWER):
        await asyncio.sleep(0.01)
        yield piece


def test_a_session(engine: Engine) -> None:
    async def talk(session: AgentSession[None], speaker: Speaker, screen: Screen) -> None:
        await session.say(model())
        assert screen.shown.rstrip() == without_emoji

    # LiveKit removes emoji from the spoken text.
    without_emoji = ANSWER.rstrip(" 😀")
    (said,) = in_session(engine, talk)
    assert said.rstrip() == without_emoji


@pytest.mark.parametrize("seconds", [1.0, 2.5])
def test_an_interruption(engine: Engine, streams: list[LiveStream], seconds: float) -> None:
    positions = []

    async def talk(session: AgentSession[None], speaker: Speaker, screen: Screen) -> None:
        speech = session.say(LONG)
        while speaker.first == 0:
            await asyncio.sleep(0.01)
        await asyncio.sleep(seconds)
        assert [stream.closed for stream in streams] == [False]
        positions.append(speaker.position())
        await session.interrupt()
        await speech.wait_for_playout()
        assert [stream.closed for stream in streams] == [True]
        await session.say("Yes?")

    heard, answer = in_session(engine, talk)
    assert answer == "Yes?"
    assert LONG.startswith(heard.rstrip())
    with engine.live(latency="low") as live:
        live.push(LONG[:300])
        live.finish()
        words = [word for chunk in live for word in chunk.words]
    begun = max(word.start for word in words if word.span.stop <= len(heard.rstrip()))
    assert begun == pytest.approx(positions[0], abs=0.7)


def test_the_time_to_the_first_audio(engine: Engine, capsys: pytest.CaptureFixture[str]) -> None:
    """Measure the time from the first token to the first played samples; all tokens arrive at once."""
    times = []

    async def talk(session: AgentSession[None], speaker: Speaker, screen: Screen) -> None:
        await session.say("Yes.")
        for _ in range(7):
            speaker.first = 0
            start = time.monotonic()
            session.say(ANSWER)
            while speaker.first == 0:
                await asyncio.sleep(0.001)
            times.append(speaker.first - start)
            await session.interrupt()
            await asyncio.sleep(0.5)

    in_session(engine, talk)
    with capsys.disabled():
        print(f"\nLiveKit: first audio after {statistics.median(times) * 1000:.0f} ms (median of {len(times)})")
