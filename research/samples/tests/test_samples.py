"""The list of samples. Nothing is spoken here."""

from __future__ import annotations

import pytest
from samples.listing import OURS, QUALITIES, TEXTS, VOICES, samples
from samples.sound import loudness

OTHERS = [("one", ("en-US", "hi-IN")), ("another", ("en-US",))]
READINGS = [f"reading {number}" for number in range(len(TEXTS["readings"]))]


def test_every_voice_speaks_both_languages() -> None:
    spoken = {(s.speaker, s.language) for s in samples(OTHERS, READINGS) if s.group == "voices"}
    assert spoken == {(voice, language) for voice in VOICES for language in ("en-US", "hi-IN")}


def test_every_quality_speaks_each_text() -> None:
    spoken = [(s.text, s.speaker) for s in samples(OTHERS, READINGS) if s.group == "qualities"]
    assert spoken == [(text, quality) for text in TEXTS["qualities"] for quality in QUALITIES]


def test_an_engine_speaks_the_languages_that_it_has() -> None:
    by_text: dict[tuple[str, str], list[str]] = {}
    for sample in samples(OTHERS, READINGS):
        if sample.group == "engines":
            by_text.setdefault((sample.language, sample.text), []).append(sample.label)
    for (language, _), labels in by_text.items():
        assert labels == ([OURS, "one", "another"] if language == "en-US" else [OURS, "one"])
    assert {language for language, _ in by_text} == {"en-US", "hi-IN"}


def test_files_have_names_of_their_own_and_readings_are_shown() -> None:
    listed = samples(OTHERS, READINGS)
    assert len({sample.file for sample in listed}) == len(listed)
    assert [s.reading for s in listed if s.group == "readings"] == READINGS
    entries = [sample.entry() for sample in listed]
    assert all(("reading" in entry) == (entry["group"] == "readings") for entry in entries)
    assert not any("speaker" in entry for entry in entries)


def test_a_reading_is_not_missing() -> None:
    with pytest.raises(ValueError):
        samples(OTHERS, READINGS[1:])


def test_loudness_is_that_of_the_summary() -> None:
    printed = "[Parsed_ebur128_0] t: 1.2 I: -30.1 LUFS\n  Integrated loudness:\n    I:         -18.4 LUFS\n"
    assert loudness(printed) == -18.4
    with pytest.raises(ValueError):
        loudness("nothing")
