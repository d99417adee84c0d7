"""The requirements for every platform, without a test framework: `cargo xtask platforms` runs it under emulators."""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import libspeech
from libspeech import Engine, SpeechError, split_text

TEXT = "First this, of 25 words. Then that! And it ends here."


def refused(call: Callable[[], object]) -> SpeechError:
    """Return the error that a call must raise."""
    try:
        call()
    except SpeechError as error:
        return error
    raise AssertionError(f"it was not refused: {call}")


def with_the_fake_model(bundle: Path) -> None:
    """Try every way to speak, errors, cancellation and threads."""
    with Engine(bundle, threads=2) as engine:
        audio = engine.synthesize(TEXT, voice="leo")
        assert audio.characters == len(TEXT)
        assert any(audio.pcm), "silence"
        assert audio.wav[:4] == b"RIFF"
        assert len(audio.words) == 11

        chunks = [chunk.pcm for chunk in engine.stream(TEXT, voice="leo")]
        assert len(chunks) == 3
        assert b"".join(chunks) == audio.pcm

        async def in_a_loop() -> bytes:
            return (await engine.asynthesize(TEXT, voice="leo")).pcm

        assert asyncio.run(in_a_loop()) == audio.pcm

        results: list[bytes] = []
        speak = lambda: results.append(engine.synthesize(TEXT, voice="leo").pcm)  # noqa: E731
        threads = [threading.Thread(target=speak) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert results == [audio.pcm] * 4

        assert refused(lambda: engine.synthesize(" ")).type == "empty_text"
        nobody: Any = "bob"
        assert "leo" in str(refused(lambda: engine.synthesize("a", voice=nobody)))
        assert "NUL" in str(refused(lambda: split_text("a\0")))
        unread = engine.stream(TEXT)
        next(unread)
    assert refused(lambda: next(unread)).type == "cancelled"
    missing = bundle.parent / "\u0906\u0935\u093e\u091c"
    assert refused(lambda: Engine(missing)).type == "model_error"


def with_the_voices(out: Path) -> None:
    """Speak one sentence with the installed voices, into a file of samples."""
    with Engine() as engine:
        out.write_bytes(engine.synthesize("Hello, world.").pcm)


if __name__ == "__main__":
    with_the_fake_model(Path(os.environ["SPEECH_FAKE_MODEL"]))
    if len(sys.argv) > 1:
        with_the_voices(Path(sys.argv[1]))
    print(f"all is well with libspeech {libspeech.__version__}")
