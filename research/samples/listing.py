"""The list of samples: the text, the speaker, and the section of the page."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

TEXTS: dict[str, Any] = json.loads(Path(__file__).with_name("texts.json").read_text(encoding="utf-8"))
VOICES = ("aria", "sofia", "jason", "john", "leo")
QUALITIES = ("full", "fast", "light")
"""The English text of `aria`."""

OURS = "libspeech, aria"
"""The texts for comparison with other engines."""


@dataclass(frozen=True)
class Sample:
    """A recording to be made. `speaker` is one of our voices or qualities, or an engine's label."""

    group: str
    file: str
    label: str
    speaker: str
    language: str
    text: str
    reading: str | None = None

    def entry(self) -> dict[str, Any]:
        """The fields that the site needs."""
        return {key: value for key, value in asdict(self).items() if key != "speaker" and value is not None}


def samples(engines: Sequence[tuple[str, tuple[str, ...]]], readings: Sequence[str]) -> list[Sample]:
    """All samples. `engines` are the labels and languages of the others, and `readings` the reading of each text in the
    section `readings`."""
    first = TEXTS["first"]
    found = [Sample("first", "first.mp3", first["voice"], first["voice"], first["language"], first["text"])]
    for entry in TEXTS["voices"]:
        for voice in VOICES:
            file = f"voice-{voice}-{entry['language'][:2]}.mp3"
            found.append(Sample("voices", file, voice, voice, entry["language"], entry["text"]))
    for number, text in enumerate(TEXTS["qualities"], 1):
        for quality in QUALITIES:
            found.append(Sample("qualities", f"quality-{number}-{quality}.mp3", quality, quality, "en-US", text))
    for number, entry in enumerate(TEXTS["engines"], 1):
        language, text = entry["language"], entry["text"]
        found.append(Sample("engines", f"engine-{number}-0.mp3", OURS, "aria", language, text))
        for place, (label, languages) in enumerate(engines, 1):
            if language in languages:
                found.append(Sample("engines", f"engine-{number}-{place}.mp3", label, label, language, text))
    for number, (entry, reading) in enumerate(zip(TEXTS["readings"], readings, strict=True), 1):
        voice, language, text = entry["voice"], entry["language"], entry["text"]
        found.append(Sample("readings", f"reading-{number:02}.mp3", voice, voice, language, text, reading))
    return found
