"""The types of the allowed values: checkers and the library agree on them.

mypy checks this file too, and fails on an unused ``type: ignore``. So each of them proves that mypy rejects the value.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, cast, get_args

import libspeech
import pytest
from libspeech import Engine, InvalidRequestError, ServiceRequest

#: Each type, and a call with one of its values.
CHOICES: dict[str, tuple[Any, Callable[[Path, Any], Any]]] = {
    "language": (libspeech.Language, lambda _, value: libspeech.validate("a", language=value)),
    "voice": (libspeech.VoiceId, lambda _, value: libspeech.validate("a", voice=value)),
    "format": (libspeech.Format, lambda _, value: ServiceRequest.from_json(f'{{"text": "a", "format": "{value}"}}')),
    "latency": (libspeech.Latency, lambda _, value: libspeech.validate("a", latency=value)),
    "quality": (libspeech.Quality, lambda _, value: libspeech.validate("a", quality=value)),
    "kernels": (libspeech.Kernels, lambda bundle, value: Engine(bundle, kernels=value)),
    "precision": (libspeech.Precision, lambda bundle, value: Engine(bundle, precision=value)),
    "use case": (libspeech.UseCase, lambda _, value: libspeech.tiers().ranked_for(value)),
}


@pytest.mark.parametrize("name", CHOICES)
def test_the_type_has_the_values_of_the_library(fake_model: Path, name: str) -> None:
    choice, call = CHOICES[name]
    with pytest.raises(InvalidRequestError) as caught:
        call(fake_model, "none")
    assert caught.value.message == f'unsupported {name} "none"; use {", ".join(get_args(choice))}'


def test_the_types_of_the_listing() -> None:
    listing = libspeech.voices()
    assert listing.languages == get_args(libspeech.Language)
    assert tuple(voice.id for voice in listing.voices) == get_args(libspeech.VoiceId)
    libspeech.validate("Hello.", language=listing.languages[1], voice=listing.voices[2].id)
    assert (listing.languages[1], listing.voices[2].id) == ("hi-IN", "john")


def test_a_wrong_value_is_an_error_for_checkers_and_at_run_time(engine: Engine, fake_model: Path) -> None:
    calls: list[Callable[[], object]] = [
        lambda: engine.synthesize("a", language="en"),  # type: ignore[arg-type]
        lambda: engine.synthesize("a", voice="Aria"),  # type: ignore[arg-type]
        lambda: engine.stream("a", language="hi"),  # type: ignore[arg-type]
        lambda: engine.stream("a", voice="bob"),  # type: ignore[arg-type]
        lambda: engine.stream("a", latency="lowest"),  # type: ignore[arg-type]
        lambda: engine.synthesize("a", quality="best"),  # type: ignore[arg-type]
        lambda: engine.qualities("bob", "en-US"),  # type: ignore[arg-type]
        lambda: engine.qualities("leo", "en"),  # type: ignore[arg-type]
        lambda: engine.synthesize("a", encoding="int24"),  # type: ignore[arg-type]
        lambda: libspeech.validate("a", voice="bob"),  # type: ignore[arg-type]
        lambda: Engine(fake_model, kernels="sse"),  # type: ignore[arg-type]
        lambda: Engine(fake_model, precision="fp8"),  # type: ignore[arg-type]
        lambda: libspeech.tiers().ranked_for("captions"),  # type: ignore[arg-type]
    ]
    for call in calls:
        with pytest.raises(InvalidRequestError, match="unsupported"):
            call()


def test_a_string_that_is_known_at_run_time(engine: Engine) -> None:
    voice = "".join(["l", "eo"])
    assert engine.synthesize("Hello.", voice=cast(libspeech.VoiceId, voice)).pcm == (
        engine.synthesize("Hello.", voice="leo").pcm
    )
