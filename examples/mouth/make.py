"""Speaks a text for the page beside this file: writes ``speech.wav`` and ``visemes.json``.

python make.py "Peter Piper picked a peck of pickled peppers." --voice leo
python -m http.server
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from libspeech import Engine

TEXT = "Hello. I move my mouth with every sound, from apples and beans to shoes and thimbles."


def main() -> None:
    """Run the program: both files go into the current folder."""
    parser = argparse.ArgumentParser(description="A wav, and the shapes of the mouth in it.")
    parser.add_argument("text", nargs="?", default=TEXT)
    parser.add_argument("--voice", default="aria")
    parser.add_argument("--language", default="en-US")
    options = parser.parse_args()
    with Engine() as engine:
        audio = engine.synthesize(options.text, language=options.language, voice=options.voice)
    audio.save("speech.wav")
    words = [{"text": options.text[word.span], "start": word.start, "end": word.end} for word in audio.words]
    visemes = [viseme._asdict() for viseme in audio.visemes]
    Path("visemes.json").write_text(json.dumps({"visemes": visemes, "words": words}), encoding="utf-8")


if __name__ == "__main__":
    main()
