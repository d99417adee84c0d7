"""The service under mixed load, for `soak.program`: whole responses, streams, clients that leave, rejections, and
connections that come and go.

Takes the paths of the texts, of speech-http and of the voice bundle. The process id that it prints is the service's.
"""

from __future__ import annotations

import http.client
import itertools
import json
import re
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

CLIENTS = 6
ANSWER_S = 120.0

ended = threading.Event()
printing = threading.Lock()


class Client:
    """A client: runs its operations in turn, some on a persistent connection and some on new ones."""

    def __init__(self, port: int, key: str, texts: list[dict[str, Any]]) -> None:
        self._port, self._texts = port, texts
        self._headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}
        self._kept = self._connection()

    def run(self, first: int) -> None:
        operations: list[Callable[[dict[str, Any]], None]] = [
            self.whole,
            self.stream,
            self.leaves,
            self.document,
            self.refused,
            self.stranger,
            self.half_a_request,
            self.listing,
        ]
        for number in itertools.count(first):
            if ended.is_set():
                return
            if first == 0 and number % 10 == 0:
                report("probe", lambda: self._spoken(self._kept, {"text": "Yes."}))
            text = self._texts[number // len(operations) % len(self._texts)]
            operation = operations[number % len(operations)]
            report(operation.__name__, lambda: operation(text))  # noqa: B023

    def whole(self, text: dict[str, Any]) -> None:
        self._spoken(self._kept, text)

    def stream(self, text: dict[str, Any]) -> None:
        connection = self._connection()
        self._spoken(connection, {**text, "format": "pcm"})
        connection.close()

    def leaves(self, text: dict[str, Any]) -> None:
        """Disconnects after the first audio."""
        connection = self._connection()
        answer = self._asked(connection, {**text, "format": "pcm"})
        answer.read(1000)
        connection.close()

    def document(self, text: dict[str, Any]) -> None:
        self._spoken(self._kept, {"text": "<speak>One <break/> two.</speak>", "ssml": True, "rate": 1.2})

    def refused(self, text: dict[str, Any]) -> None:
        answer = self._asked(self._kept, {"text": " "})
        assert answer.status == 400 and json.loads(answer.read())["error"]["type"] == "empty_text"

    def stranger(self, text: dict[str, Any]) -> None:
        connection = self._connection()
        connection.request("POST", "/v1/speech", json.dumps(text), {"Authorization": "Bearer none"})
        answer = connection.getresponse()
        assert answer.status == 401 and answer.read()
        connection.close()

    def half_a_request(self, text: dict[str, Any]) -> None:
        with socket.create_connection(("127.0.0.1", self._port)) as connection:
            connection.sendall(b"POST /v1/speech HTTP/1.1\r\nHost: x\r\nContent-Le")

    def listing(self, text: dict[str, Any]) -> None:
        answer = self._answer(self._kept, "GET", "/v1/speech/voices")
        assert answer.status == 200 and len(json.loads(answer.read())["voices"]) == 5

    def _connection(self) -> http.client.HTTPConnection:
        return http.client.HTTPConnection("127.0.0.1", self._port, timeout=ANSWER_S)

    def _asked(self, connection: http.client.HTTPConnection, text: dict[str, Any]) -> http.client.HTTPResponse:
        return self._answer(connection, "POST", "/v1/speech", json.dumps(text))

    def _answer(
        self, connection: http.client.HTTPConnection, method: str, path: str, body: str | None = None
    ) -> http.client.HTTPResponse:
        try:
            connection.request(method, path, body, self._headers)
            return connection.getresponse()
        except (BrokenPipeError, ConnectionResetError, http.client.RemoteDisconnected):
            # The service closes idle connections; every HTTP client retries.
            connection.close()
            connection.request(method, path, body, self._headers)
            return connection.getresponse()

    def _spoken(self, connection: http.client.HTTPConnection, text: dict[str, Any]) -> None:
        answer = self._asked(connection, text)
        sound = answer.read()
        if answer.status == 503:
            # With so many clients the service may be briefly full, which is a valid response too.
            ended.wait(float(answer.headers["Retry-After"]))
            return
        assert answer.status == 200 and len(sound) > 4_000, (answer.status, sound[:200])


def report(name: str, operation: Callable[[], object]) -> None:
    begin = time.perf_counter()
    operation()
    with printing:
        print(name, f"{(time.perf_counter() - begin) * 1e3:.1f}", flush=True)


def main() -> None:
    texts = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    with tempfile.TemporaryDirectory(prefix="speech-soak-") as name:
        folder, program = Path(name), sys.argv[2]
        keys = folder / "keys"
        key = subprocess.check_output([program, "key", "new", "--account", "soak", "--keys", keys], text=True).strip()
        options = ["--listen", "127.0.0.1:0", "--keys", keys, "--usage", folder / "usage.db", "--bundle", sys.argv[3]]
        with (folder / "log").open("wb") as log:
            service = subprocess.Popen([program, "serve", *options], stdout=subprocess.PIPE, stderr=log, text=True)
        try:
            assert service.stdout is not None
            line = service.stdout.readline()
            found = re.fullmatch(r"listening on http://127\.0\.0\.1:(\d+)\n", line)
            if found is None:
                raise SystemExit(f"the service did not start: {(folder / 'log').read_text(encoding='utf-8')}")
            print("pid", service.pid, flush=True)
            _load(int(found[1]), key, texts)
            service.send_signal(signal.SIGTERM)
            if service.wait(ANSWER_S) != 0:
                raise SystemExit("the service did not end well")
        finally:
            service.kill()
            service.wait()


def _load(port: int, key: str, texts: list[dict[str, Any]]) -> None:
    failures: list[BaseException] = []

    def work(first: int) -> None:
        try:
            Client(port, key, texts).run(first)
        except BaseException as error:
            failures.append(error)
            ended.set()

    threads = [threading.Thread(target=work, args=(first,)) for first in range(CLIENTS)]
    for thread in threads:
        thread.start()
    threading.Thread(target=lambda: (sys.stdin.read(), ended.set()), daemon=True).start()
    for thread in threads:
        thread.join()
    if failures:
        raise failures[0]


if __name__ == "__main__":
    main()
