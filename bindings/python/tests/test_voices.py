"""The listing of the voices."""

from __future__ import annotations

import json
from typing import get_args

import libspeech
import pytest
from libspeech import Engine, Voice, VoiceId


def test_the_listing_of_the_contract() -> None:
    listing = libspeech.voices()
    assert listing.languages == ("en-US", "hi-IN")
    names = ["Aria", "Jason", "John", "Leo", "Sofia"]
    assert listing.voices == tuple(Voice(voice, name) for voice, name in zip(get_args(VoiceId), names, strict=True))
    assert listing.default_voice == "aria"
    assert listing.sample_rate == libspeech.SAMPLE_RATE == 22050
    assert listing.max_characters == libspeech.MAX_CHARACTERS == 1000


def test_its_json() -> None:
    listing = libspeech.voices()
    body = json.loads(listing.to_json())
    assert list(body) == list(listing._fields)
    assert body["voices"] == [voice._asdict() for voice in listing.voices]
    assert body["languages"] == list(listing.languages)


def test_every_voice_speaks_every_language(engine: Engine) -> None:
    spoken = {
        (voice.id, language): engine.synthesize("Hello नमस्ते.", language=language, voice=voice.id).pcm
        for voice in libspeech.voices().voices
        for language in libspeech.voices().languages
    }
    assert len(set(spoken.values())) == 10
    assert spoken["aria", "en-US"] == engine.synthesize("Hello नमस्ते.").pcm


@pytest.mark.voices
def test_the_voices_that_are_installed(voices_engine: Engine) -> None:
    audio = voices_engine.synthesize("Hello, world.")
    assert 0.7 < audio.duration < 3
    spoken = {
        voices_engine.synthesize("नमस्ते।", language="hi-IN", voice=voice.id).pcm for voice in libspeech.voices().voices
    }
    assert len(spoken) == 5


@pytest.mark.voices
def test_words_that_are_read_as_the_caller_says(voices_engine: Engine) -> None:
    text = "Siobhan runs kubectl."
    with Engine(threads=2, pronunciations={"Siobhan": "/ʃɪˈvɔːn/", "kubectl": "cube control"}) as told:
        spoken = told.synthesize(text).pcm
    assert spoken != voices_engine.synthesize(text).pcm
    assert spoken == voices_engine.synthesize("[Siobhan](/ʃɪˈvɔːn/) runs cube control.").pcm
