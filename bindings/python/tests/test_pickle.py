"""Plain values can be pickled; engines and streams refuse it with advice."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import libspeech
import pytest
from conftest import Run
from libspeech import Engine, ServiceRequest, Tier
from support import TEXT, clean


@pytest.mark.parametrize("attempt", [pickle.dumps, copy.copy, copy.deepcopy])
def test_an_engine_and_a_stream_are_refused(engine: Engine, attempt: Callable[[object], object]) -> None:
    refused: list[tuple[object, str]] = [(engine, "an Engine cannot be")]
    with engine.stream(TEXT) as stream, engine.live() as live:
        refused += [(stream, "a Stream cannot be"), (live, "a LiveStream cannot be")]
        for value, name in refused:
            with pytest.raises(TypeError, match=name):
                attempt(value)
            for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
                with pytest.raises(TypeError, match=name):
                    pickle.dumps([value], protocol)


@pytest.mark.parametrize(
    "value",
    [
        ServiceRequest("Hello.", "wav", {"voice": "leo", "read_emoji": True}),
        Tier.TURBO,
        libspeech.voices(),
        libspeech.tiers([(70, 6)]).tiers,
        libspeech.Segment("One.", slice(0, 4), False),
        libspeech.Word(slice(0, 3), 0.1, 0.2),
        libspeech.Sentence(slice(0, 3), 0.1, 0.2),
        libspeech.Phoneme("ˈoʊ", slice(0, 3), 0.1, 0.2),
        libspeech.Mark("here", 0.1),
        libspeech.Viseme("PP", 21, 0.1, 0.2),
        libspeech.Diagnostic("skipped", slice(0, 1)),
    ],
    ids=lambda value: type(value).__name__,
)
def test_plain_values_survive(value: Any) -> None:
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        assert pickle.loads(pickle.dumps(value, protocol)) == value
    assert copy.copy(value) == copy.deepcopy(value) == value


def test_a_catalogue_survives() -> None:
    catalogue = libspeech.tiers([(70, 6)])
    for same in (copy.copy(catalogue), copy.deepcopy(catalogue), pickle.loads(pickle.dumps(catalogue))):
        assert (same, hash(same), same.to_json()) == (catalogue, hash(catalogue), catalogue.to_json())
    assert catalogue != libspeech.tiers()
    assert catalogue != catalogue.tiers


def test_what_another_process_is_told(run: Run) -> None:
    ended = run(
        """
        import multiprocessing
        def speak(engine):
            pass
        if __name__ == "__main__":
            context = multiprocessing.get_context("spawn")
            try:
                context.Process(target=speak, args=(libspeech.Engine(FAKE_MODEL),)).start()
            except TypeError as error:
                print(error)
        """
    )
    assert "an Engine cannot be pickled" in clean(ended)
