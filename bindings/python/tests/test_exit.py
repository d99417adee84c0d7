"""The interpreter ends soon and without a crash, even during requests."""

from __future__ import annotations

import pytest
from conftest import Run
from support import LONG_SENTENCE, clean, running_reference

SPEAK_ON = """
def speak_on(engine, started):
    try:
        while True:
            engine.synthesize(TEXT)
            started.release()
    except libspeech.CancelledError:
        pass
"""

#: Programs, and their expected exit statuses.
PROGRAMS: dict[str, tuple[str, int]] = {
    "nothing was used": ("", 0),
    "an engine that lives": ("engine = libspeech.Engine(FAKE_MODEL)", 0),
    "an engine in a cycle": (
        """
class Cycle: pass
cycle = Cycle()
cycle.itself, cycle.engine = cycle, libspeech.Engine(FAKE_MODEL, threads=2)
cycle.stream = cycle.engine.stream(TEXT)
next(cycle.stream)
""",
        0,
    ),
    "a daemon thread that speaks": (
        SPEAK_ON
        + """
started = threading.Semaphore(0)
engine = libspeech.Engine(FAKE_MODEL, threads=2)
for _ in range(3):
    threading.Thread(target=speak_on, args=(engine, started), daemon=True).start()
for _ in range(6):
    started.acquire()
""",
        0,
    ),
    "a daemon thread in the middle of a text": (
        """
def speak(engine):
    try:
        engine.synthesize(LONG)
    except libspeech.CancelledError:
        pass
threading.Thread(target=speak, args=(libspeech.Engine(FAKE_MODEL, threads=1),), daemon=True).start()
time.sleep(0.05)
""",
        0,
    ),
    "a daemon thread that loads": (
        """
def load():
    try:
        while True:
            libspeech.Engine(FAKE_MODEL)
    except libspeech.CancelledError:
        pass
threading.Thread(target=load, daemon=True).start()
time.sleep(0.2)
""",
        0,
    ),
    "a daemon thread that reads a stream": (
        """
def read(engine):
    try:
        while True:
            for chunk in engine.stream(LONG):
                pass
    except libspeech.CancelledError:
        pass
threading.Thread(target=read, args=(libspeech.Engine(FAKE_MODEL),), daemon=True).start()
time.sleep(0.2)
""",
        0,
    ),
    "a thread that speaks to its end": (
        """
def speak(engine):
    assert engine.synthesize(LONG).duration > 0
    print("spoken")
threading.Thread(target=speak, args=(libspeech.Engine(FAKE_MODEL),)).start()
""",
        0,
    ),
    "a stream that is half read": (
        """
engine = libspeech.Engine(FAKE_MODEL, threads=2)
stream = engine.stream(LONG)
next(stream)
""",
        0,
    ),
    "a stream that was never read": ("stream = libspeech.Engine(FAKE_MODEL).stream(LONG)", 0),
    "an exception": (
        "engine = libspeech.Engine(FAKE_MODEL)\nstream = engine.stream(LONG)\nnext(stream)\nraise SystemExit(5)",
        5,
    ),
    "sys.exit in asyncio": (
        """
async def main():
    engine = libspeech.Engine(FAKE_MODEL)
    task = asyncio.ensure_future(engine.asynthesize(LONG))
    async with engine.stream(LONG) as stream:
        async for chunk in stream:
            sys.exit(4)
asyncio.run(main())
""",
        4,
    ),
    "sys.exit in a handler while it speaks": (
        """
signal.signal(signal.SIGALRM, lambda *_: sys.exit(6))
engine = libspeech.Engine(FAKE_MODEL, threads=1)
signal.setitimer(signal.ITIMER_REAL, 0.1)
while True:
    engine.synthesize(LONG)
""",
        6,
    ),
    "an engine that is used while the interpreter ends": (
        """
engine = libspeech.Engine(FAKE_MODEL)
stream = engine.stream(LONG)
next(stream)
class Late:
    def __del__(self):
        try:
            engine.synthesize(TEXT)
        except Exception:
            pass
def use():
    for attempt in (lambda: engine.synthesize(TEXT), lambda: next(stream), lambda: libspeech.Engine(FAKE_MODEL)):
        try:
            attempt()
            print("done")
        except libspeech.CancelledError as error:
            print(error)
late = Late()
# The first runs before libspeech ends its work, the other after that.
atexit.register(use)
last.append(use)
""",
        0,
    ),
}

#: The expected output of some of them.
PRINTED = {
    "a thread that speaks to its end": "spoken\n",
    "an engine that is used while the interpreter ends": 3 * "done\n" + 3 * "the interpreter is ending\n",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_ends(run: Run, name: str) -> None:
    program, status = PROGRAMS[name]
    ended = run(program, limit=30)
    output = clean(ended, status)
    assert ended.stderr == ""
    assert output == PRINTED.get(name, "")


@pytest.mark.parametrize("turn", range(3))
def test_it_ends_at_any_moment(run: Run, turn: int) -> None:
    program = (
        SPEAK_ON
        + f"""
engines = [libspeech.Engine(FAKE_MODEL, threads=threads) for threads in (1, 2)]
for engine in engines * 2:
    threading.Thread(target=speak_on, args=(engine, threading.Semaphore(0)), daemon=True).start()
time.sleep({0.01 + 0.037 * turn})
"""
    )
    ended = run(program, limit=30)
    clean(ended)
    assert ended.stderr == ""


@pytest.mark.voices
def test_a_long_text_does_not_hold_the_end_up(run: Run) -> None:
    with running_reference(LONG_SENTENCE) as is_running:
        ended = run(
            """
            engine = libspeech.Engine(threads=1)
            threading.Thread(target=engine.synthesize, args=(LONG_SENTENCE,), daemon=True).start()
            stream = engine.stream(LONG_SENTENCE)
            threading.Thread(target=next, args=(stream,), daemon=True).start()
            time.sleep(0.5)
            """
        )
        assert is_running()
    clean(ended)
    assert ended.stderr == ""
