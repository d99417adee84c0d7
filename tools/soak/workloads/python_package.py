"""The Python package under mixed load, for `soak.program`: whole texts, streams, asyncio, cancellation, rejections, and
engines that come and go.

Takes the path of the texts. Runs in its own process, because the package is in another environment than this tool.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import libspeech

ended = threading.Event()
printing = threading.Lock()


class Load:
    """The operations, in turn."""

    def __init__(self, texts: list[dict[str, Any]]) -> None:
        self._texts = texts
        self._engine = libspeech.Engine(threads=1, max_concurrency=2)
        self._operations: list[Callable[[dict[str, Any]], None]] = [
            self.whole,
            self.stream,
            self.half_a_stream,
            self.asynchronous,
            self.closed,
            self.live,
            self.interrupted,
            self.document,
            self.refused,
        ]

    def run(self, first: int) -> None:
        """Runs operation after operation until the end. Threads start at different ones."""
        number = first
        while not ended.is_set():
            if number % 10 == 0:
                report("probe", lambda: self._engine.synthesize("Yes."))
            operation = self._operations[number % len(self._operations)]
            text = self._texts[number // len(self._operations) % len(self._texts)]
            report(operation.__name__, lambda: operation(text))  # noqa: B023
            if first == 0 and number % 100 == 99:
                report("engine", self.engine)
            number += 1

    def whole(self, text: dict[str, Any]) -> None:
        assert len(self._engine.synthesize(**text).wav) > 4_000

    def stream(self, text: dict[str, Any]) -> None:
        assert sum(len(chunk.pcm) for chunk in self._engine.stream(**text)) > 4_000

    def half_a_stream(self, text: dict[str, Any]) -> None:
        with self._engine.stream(**text) as stream:
            next(iter(stream))

    def asynchronous(self, text: dict[str, Any]) -> None:
        async def some() -> None:
            task = asyncio.ensure_future(self._engine.asynthesize(**text))
            await asyncio.sleep(0.02)
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
            assert len((await self._engine.asynthesize("Yes.")).wav) > 4_000

        asyncio.run(some())

    def closed(self, text: dict[str, Any]) -> None:
        with self._engine.stream(**text) as stream:
            timer = threading.Timer(0.02, stream.close)
            timer.start()
            try:
                assert all(len(chunk.pcm) > 0 for chunk in stream)
            except libspeech.CancelledError:
                assert stream.closed
        timer.join()

    def live(self, text: dict[str, Any]) -> None:
        with self._engine.live(latency="low", rate=1.2, **_settings(text)) as live:
            for word in text["text"].split(" "):
                live.push(word + " ")
            live.finish()
            assert sum(len(chunk.pcm) for chunk in live) > 4_000 and live.heard_at(1e9) > 0

    def interrupted(self, text: dict[str, Any]) -> None:
        with self._engine.live(**_settings(text)) as live:
            live.push(text["text"] + " And more. ")
            assert len(next(iter(live)).pcm) > 0
            live.close()

    def document(self, text: dict[str, Any]) -> None:
        audio = self._engine.synthesize("<speak>One <mark name='m'/> two.</speak>", ssml=True)
        assert len(audio.phonemes) > 4 and len(audio.visemes) > 4 and len(audio.marks) == 1

    def refused(self, text: dict[str, Any]) -> None:
        try:
            self._engine.synthesize("x" * 1001)
        except libspeech.TextTooLongError:
            return
        raise AssertionError("it was not refused")

    def engine(self) -> None:
        with libspeech.Engine(threads=2) as engine:
            engine.synthesize("Yes.")


def _settings(text: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in text.items() if name != "text"}


def report(name: str, operation: Callable[[], object]) -> None:
    begin = time.perf_counter()
    operation()
    with printing:
        print(name, f"{(time.perf_counter() - begin) * 1e3:.1f}", flush=True)


def main() -> None:
    print("pid", os.getpid(), flush=True)
    load = Load(json.loads(Path(sys.argv[1]).read_text(encoding="utf-8")))
    failures: list[BaseException] = []

    def work(first: int) -> None:
        try:
            load.run(first)
        except BaseException as error:
            failures.append(error)
            ended.set()

    threads = [threading.Thread(target=work, args=(first,)) for first in range(2)]
    for thread in threads:
        thread.start()
    threading.Thread(target=lambda: (sys.stdin.read(), ended.set()), daemon=True).start()
    for thread in threads:
        thread.join()
    if failures:
        raise failures[0]


if __name__ == "__main__":
    main()
