"""Speaks through the sound card: the first half second soon, the rest while that is played."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator

import sounddevice  # type: ignore[import-not-found]  # it has no types
from libspeech import SAMPLE_RATE, Chunk, Engine, Language, SpeechError, VoiceId

# A write to the device cannot be interrupted, so each write is a tenth of a second.
BYTES_PER_WRITE = SAMPLE_RATE // 10 * 2


def main() -> None:
    """Run the program."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("text")
    parser.add_argument("--voice", default="aria")
    parser.add_argument("--language", default="en-US")
    options = parser.parse_args()
    with Engine() as engine:
        play(engine, options.text, options.language, options.voice)


def play(engine: Engine, text: str, language: Language, voice: VoiceId) -> None:
    """Play a text to its end, or until Ctrl-C."""
    stream = engine.stream(text, language=language, voice=voice, latency="low")
    speaker = sounddevice.RawOutputStream(samplerate=SAMPLE_RATE, channels=1, dtype="int16")
    with stream, speaker:
        try:
            for chunk in stream:
                for part in parts(chunk):
                    speaker.write(part)
        except KeyboardInterrupt:
            speaker.abort()  # drops the audio that the device has buffered
            raise


def parts(chunk: Chunk) -> Iterator[bytes]:
    """The samples of a chunk, in short pieces."""
    for start in range(0, len(chunk.pcm), BYTES_PER_WRITE):
        yield chunk.pcm[start : start + BYTES_PER_WRITE]


if __name__ == "__main__":
    try:
        main()
    except SpeechError as error:
        sys.exit(f"{error.type}: {error}")
    except KeyboardInterrupt:
        sys.exit(130)
