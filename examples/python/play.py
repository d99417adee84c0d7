"""Speaks through the sound card: the first half second at once, the rest while that is heard."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator

import sounddevice  # type: ignore[import-not-found]  # it has no types
from libspeech import SAMPLE_RATE, Chunk, Engine, SpeechError

# Nothing interrupts a device that plays what it was given: it is given a tenth of a second each time.
BYTES_AT_ONCE = SAMPLE_RATE // 10 * 2


def main() -> None:
    """Run the program."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("text")
    parser.add_argument("--voice", default="aria")
    parser.add_argument("--language", default="en-US")
    options = parser.parse_args()
    with Engine() as engine:
        play(engine, options.text, options.language, options.voice)


def play(engine: Engine, text: str, language: str, voice: str) -> None:
    """Play a text until it ends or Ctrl-C is pressed."""
    stream = engine.stream(text, language, voice, latency="low")
    speaker = sounddevice.RawOutputStream(samplerate=SAMPLE_RATE, channels=1, dtype="int16")
    with stream, speaker:
        try:
            for chunk in stream:
                for part in parts(chunk):
                    speaker.write(part)
        except KeyboardInterrupt:
            speaker.abort()  # what the device still holds is not heard
            raise


def parts(chunk: Chunk) -> Iterator[bytes]:
    """The samples of a chunk, in pieces that are short to hear."""
    for start in range(0, len(chunk.pcm), BYTES_AT_ONCE):
        yield chunk.pcm[start : start + BYTES_AT_ONCE]


if __name__ == "__main__":
    try:
        main()
    except SpeechError as error:
        sys.exit(f"{error.type}: {error}")
    except KeyboardInterrupt:
        sys.exit(130)
