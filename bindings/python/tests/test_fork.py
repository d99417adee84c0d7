"""After a fork, a child speaks with an engine loaded before it, and exits."""

from __future__ import annotations

import pytest
from conftest import Run
from support import clean

#: Exits the child with its own result, and waits for it only for a limited time.
CHILD = """
def child(speak):
    pid = os.fork()
    if pid == 0:
        status = 70
        try:
            status = 0 if speak() else 71
        finally:
            os._exit(status)
    end = time.monotonic() + 20
    while True:
        done, status = os.waitpid(pid, os.WNOHANG)
        if done:
            return status
        if time.monotonic() > end:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
            return "hangs"
        time.sleep(0.005)
"""

BEGINNING = CHILD + "engine = libspeech.Engine(FAKE_MODEL, threads={threads})\n"


@pytest.mark.parametrize("threads", [1, 2])
def test_a_child_speaks_as_its_parent(run: Run, threads: int) -> None:
    program = """
other = libspeech.Engine(FAKE_MODEL, threads=2)
print(child(lambda: other.synthesize(TEXT).pcm == engine.synthesize(TEXT).pcm))
expected = engine.synthesize(TEXT).pcm
def same():
    pcm = b"".join(chunk.pcm for chunk in engine.stream(TEXT))
    return engine.synthesize(TEXT).pcm == expected == pcm
print(child(same))
print(child(lambda: child(same) == 0))
print(child(lambda: asyncio.run(engine.asynthesize(TEXT)).pcm == expected))
engine.warm_up()
print(child(lambda: engine.close() is None and engine.closed))
print(child(lambda: libspeech.Engine(FAKE_MODEL).synthesize(TEXT).pcm == expected))
print(int(not same()))
"""
    output = clean(run(BEGINNING.format(threads=threads) + program, limit=120))
    assert output.split() == ["0"] * 7


def test_a_child_ends_as_a_program_does(run: Run) -> None:
    program = """
engine.synthesize(TEXT)
for use in (lambda: True, lambda: engine.synthesize(TEXT), lambda: next(engine.stream(TEXT))):
    pid = os.fork()
    if pid == 0:
        assert use()
        sys.exit(3)
    print(os.waitpid(pid, 0)[1] >> 8, flush=True)
"""
    ended = run(BEGINNING.format(threads=2) + program)
    assert clean(ended).split() == ["3", "3", "3"]
    assert ended.stderr == ""


def test_a_fork_while_threads_of_the_parent_speak(run: Run) -> None:
    program = """
expected = engine.synthesize(TEXT).pcm
stop = threading.Event()
def speak():
    while not stop.is_set():
        assert engine.synthesize(TEXT).pcm == expected
        assert b"".join(chunk.pcm for chunk in engine.stream(TEXT)) == expected
threads = [threading.Thread(target=speak) for _ in range(2)]
for thread in threads:
    thread.start()
statuses = []
for _ in range(12):
    time.sleep(0.03)
    statuses.append(child(lambda: engine.synthesize(TEXT).pcm == expected))
stop.set()
for thread in threads:
    thread.join()
print(statuses == [0] * 12 or statuses)
"""
    assert clean(run(BEGINNING.format(threads=2) + program, limit=250)) == "True\n"


def test_a_fork_while_an_engine_loads(run: Run) -> None:
    program = """
expected = engine.synthesize(TEXT).pcm
stop = threading.Event()
def load():
    while not stop.is_set():
        libspeech.Engine(FAKE_MODEL, threads=2).close()
thread = threading.Thread(target=load)
thread.start()
statuses = []
for _ in range(8):
    time.sleep(0.02)
    statuses.append(child(lambda: libspeech.Engine(FAKE_MODEL, threads=2).synthesize(TEXT).pcm == expected))
stop.set()
thread.join()
print(statuses == [0] * 8 or statuses)
"""
    assert clean(run(BEGINNING.format(threads=1) + program, limit=200)) == "True\n"


def test_a_stream_stays_with_the_parent(run: Run) -> None:
    program = """
stream = engine.stream(TEXT)
fresh = engine.stream(TEXT)
first = next(stream)
def refused():
    for each in (stream, fresh):
        try:
            next(each)
            return False
        except libspeech.SpeechError as error:
            assert "before fork()" in str(error), error
    # Neither may hang.
    stream.close()
    del globals()["fresh"]
    return True
print(child(refused))
pcm = first.pcm + b"".join(chunk.pcm for chunk in stream)
print(pcm == engine.synthesize(TEXT).pcm == b"".join(chunk.pcm for chunk in fresh))
"""
    assert clean(run(BEGINNING.format(threads=2) + program)) == "0\nTrue\n"


def test_what_was_closed_stays_closed(run: Run) -> None:
    program = """
engine.close()
def refused():
    try:
        engine.synthesize(TEXT)
    except libspeech.InvalidRequestError as error:
        return engine.closed and "closed" in str(error)
print(child(refused))
"""
    assert clean(run(BEGINNING.format(threads=1) + program)) == "0\n"


@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
def test_multiprocessing(run: Run, method: str) -> None:
    program = """
        import multiprocessing
        engine = None
        def speak(voice):
            global engine
            engine = engine or libspeech.Engine(FAKE_MODEL, threads=2)
            return engine.synthesize(TEXT, voice=voice)
        if __name__ == "__main__":
            voices = [voice.id for voice in libspeech.voices().voices] * 2
            expected = [speak(voice) for voice in voices]
            with multiprocessing.get_context(sys.argv[1]).Pool(2) as pool:
                others = pool.map(speak, voices)
                pool.close()
                pool.join()
            print([audio.pcm for audio in others] == [audio.pcm for audio in expected])
            print([audio.words for audio in others] == [audio.words for audio in expected])
        """
    assert clean(run(program, method, limit=120)) == "True\nTrue\n"
