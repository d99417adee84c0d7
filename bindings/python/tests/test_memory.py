"""Memory, threads and open files do not grow, however much is spoken."""

from __future__ import annotations

import json
import os

import pytest
from conftest import Run
from support import clean

#: Measures the resources of a process of its own.
MEASURE = """
import gc
def held():
    gc.collect()
    with open("/proc/self/statm") as file:
        resident = int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    return resident, len(os.listdir("/proc/self/task")), len(os.listdir("/proc/self/fd"))
def growth(use, warm_up, times):
    for _ in range(warm_up):
        use()
    # Cancelled work ends by itself soon.
    time.sleep(0.3)
    before = held()
    for _ in range(times):
        use()
    end = time.monotonic() + 10
    while any(after > start for after, start in zip(held()[1:], before[1:])) and time.monotonic() < end:
        time.sleep(0.05)
    print(json.dumps([after - start for after, start in zip(held(), before)]))
"""

#: 0.4 s of audio: 18 kB, more than any use may leave behind.
TEXT = "Hello."

#: Factor of the number of rounds, for a longer run that finds smaller leaks.
FACTOR = int(os.environ.get("SPEECH_MEMORY_ROUNDS", "1"))

#: Bytes that memory may grow by in total: the interpreter and the allocator fill their caches for some time.
ONCE = 1_000_000

#: The uses: setup, a use, the number of warm-up and of measured repetitions, and the bytes that each may leave behind.
USES: dict[str, tuple[str, str, int, int, int]] = {
    "synthesize": (
        "engine = libspeech.Engine(FAKE_MODEL, threads=1)",
        "lambda: engine.synthesize(TEXT).wav",
        50,
        250,
        1_000,
    ),
    "asynthesize": (
        "engine = libspeech.Engine(FAKE_MODEL, threads=1)",
        "lambda: asyncio.run(engine.asynthesize(TEXT))",
        50,
        200,
        1_000,
    ),
    "arrays, files and pickles": (
        "import io, pickle\nengine = libspeech.Engine(FAKE_MODEL, threads=1)\naudio = engine.synthesize(TEXT)",
        "lambda: (audio.samples, audio.save(io.BytesIO()), pickle.loads(pickle.dumps(audio)), audio._repr_html_())",
        100,
        2000,
        500,
    ),
    "streams that are half read": (
        "engine = libspeech.Engine(FAKE_MODEL, threads=2)",
        "lambda: next(engine.stream(TEXT + ' So there.'))",
        50,
        250,
        2_000,
    ),
    "streams that are left by close": (
        "engine = libspeech.Engine(FAKE_MODEL, threads=2)\n"
        "def use():\n    with engine.stream(3 * (TEXT + ' ')) as stream:\n        next(stream)",
        "use",
        50,
        250,
        1_000,
    ),
    "live streams": (
        "engine = libspeech.Engine(FAKE_MODEL, threads=1)\n"
        "def use():\n    with engine.live() as live:\n        live.push(TEXT + ' So')\n        next(live)\n"
        "        live.push(' there.')\n        live.finish()\n        return list(live), live.heard_at(1)",
        "use",
        50,
        250,
        1_000,
    ),
    "live streams that are left": (
        "engine = libspeech.Engine(FAKE_MODEL, threads=2)\n"
        "def use():\n    live = engine.live()\n    live.push(TEXT + ' So there.')\n    next(live)",
        "use",
        50,
        250,
        2_000,
    ),
    "live text of asynchronous iterators": (
        "engine = libspeech.Engine(FAKE_MODEL, threads=1)\n"
        "async def tokens():\n    while True:\n        yield TEXT + ' '\n        await asyncio.sleep(0.001)\n"
        "async def main():\n    async with engine.speak_live(tokens()) as live:\n"
        "        async for chunk in live:\n            break",
        "lambda: asyncio.run(main())",
        50,
        200,
        2_000,
    ),
    "errors": (
        "engine = libspeech.Engine(FAKE_MODEL, threads=1)\n"
        "def use():\n"
        "    for text, voice in ((' ', 'aria'), ('a' * 1001, 'aria'), ('a', 'none'), ('\\ud800', 'leo')):\n"
        "        try:\n            engine.stream(text, voice=voice)\n"
        "        except libspeech.SpeechError as error:\n            error.to_json()",
        "use",
        500,
        5000,
        200,
    ),
    "tasks that are cancelled": (
        "engine = libspeech.Engine(FAKE_MODEL, threads=1)\n"
        "async def cancelled():\n"
        "    task = asyncio.ensure_future(engine.asynthesize(LONG_SENTENCE))\n"
        "    await asyncio.sleep(0.01)\n    task.cancel()\n"
        "    await asyncio.wait([task])",
        "lambda: asyncio.run(cancelled())",
        50,
        200,
        10_000,
    ),
    "engines": ("", "lambda: libspeech.Engine(FAKE_MODEL, threads=2).synthesize(TEXT)", 10, 20, 200_000),
    "engines in memory": (
        "import io, tarfile\nfile = io.BytesIO()\n"
        "with tarfile.open(fileobj=file, mode='w', format=tarfile.USTAR_FORMAT) as tar:\n    tar.add(FAKE_MODEL, '.')",
        "lambda: libspeech.Engine(file.getvalue(), threads=1).close()",
        10,
        20,
        200_000,
    ),
    "segmenters": (
        "text = 'One sentence, and another one. ' * 100",
        "lambda: [libspeech.Segmenter().push(text), libspeech.split_text(text, 100)]",
        100,
        500,
        1_000,
    ),
}


@pytest.mark.parametrize("name", USES)
def test_nothing_grows(run: Run, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    # The memory that glibc keeps per thread is random.
    monkeypatch.setenv("MALLOC_ARENA_MAX", "1")
    beginning, use, warm_up, rounds, bytes_each = USES[name]
    times = rounds * FACTOR
    source = f"{MEASURE}\nTEXT = {TEXT!r}\n{beginning}\ngrowth({use}, {warm_up}, {times})\n"

    def measured() -> float:
        memory, threads, files = json.loads(clean(run(source, limit=120)))
        # Some threads wait a few seconds for the next task.
        assert threads <= 4
        assert files <= 0
        return float(memory - ONCE) / times

    # The interpreter may allocate memory of its own at any time; a leak appears in both runs.
    if (first := measured()) >= bytes_each:
        assert measured() < bytes_each, f"before, it grew by {first:.0f} bytes each"
