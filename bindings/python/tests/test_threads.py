"""Threads: any number use one engine, and other Python threads run meanwhile."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import libspeech
import pytest
from libspeech import Engine
from support import TEXT, joined

VOICES: list[libspeech.VoiceId] = [voice.id for voice in libspeech.voices().voices]


def test_eight_threads_get_what_one_gets(engine: Engine) -> None:
    text = "One. And two."
    expected = {voice: engine.synthesize(text, voice=voice).pcm for voice in VOICES}
    assert len(set(expected.values())) == len(VOICES)
    barrier = threading.Barrier(8)

    def speak(number: int) -> bool:
        barrier.wait(30)
        same = True
        for turn in range(5):
            voice = VOICES[(number + turn) % len(VOICES)]
            same &= engine.synthesize(text, voice=voice).pcm == expected[voice]
            same &= joined(engine.stream(text, voice=voice)) == expected[voice]
        return same

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(speak, range(8))) == [True] * 8


@pytest.mark.parametrize(
    "options", [{"threads": 2}, {"threads": 1, "max_concurrency": 2}, {"threads": 3, "max_concurrency": 2}]
)
def test_the_bytes_are_those_of_one_thread(fake_model: Path, engine: Engine, options: dict[str, int]) -> None:
    expected = engine.synthesize(TEXT).pcm
    with Engine(fake_model, **options) as other, ThreadPoolExecutor(4) as pool:  # type: ignore[arg-type]
        assert other.threads == options["threads"]
        together = pool.map(lambda _: other.synthesize(TEXT).pcm, range(12))
        assert set(together) == {expected}


@pytest.mark.voices
def test_python_goes_on_meanwhile(voices_engine: Engine) -> None:
    running = threading.Event()
    done = threading.Event()

    def speak() -> None:
        running.set()
        voices_engine.synthesize("It was a bright cold day in April.")
        done.set()

    thread = threading.Thread(target=speak)
    thread.start()
    running.wait()
    turns = 0
    while not done.is_set():
        time.sleep(0.001)
        turns += 1
    thread.join()
    assert turns > 50


def test_python_goes_on_while_an_engine_loads(fake_model: Path) -> None:
    turns = 0
    stop = threading.Event()

    def count() -> None:
        nonlocal turns
        while not stop.wait(0.001):
            turns += 1

    thread = threading.Thread(target=count)
    thread.start()
    for _ in range(5):
        Engine(fake_model, threads=1).close()
    stop.set()
    thread.join()
    assert turns >= 5


def test_an_engine_that_is_closed_while_threads_use_it(fake_model: Path) -> None:
    engine = Engine(fake_model, threads=2)
    spoken = threading.Semaphore(0)

    def speak(_: int) -> str:
        try:
            while True:
                engine.synthesize(TEXT)
                spoken.release()
        except libspeech.SpeechError as error:
            return error.type

    with ThreadPoolExecutor(4) as pool:
        results = pool.map(speak, range(4))
        assert all(spoken.acquire(timeout=30) for _ in range(8))
        engine.close()
        assert set(results) <= {"cancelled", "invalid_request"}


def test_engines_beside_each_other(fake_model: Path, engine: Engine) -> None:
    expected = engine.synthesize(TEXT).pcm

    def speak(_: int) -> bytes:
        with Engine(fake_model, threads=2) as own:
            return own.synthesize(TEXT).pcm

    with ThreadPoolExecutor(4) as pool:
        assert set(pool.map(speak, range(8))) == {expected}
