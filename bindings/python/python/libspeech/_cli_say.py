"""The command ``libspeech say``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Generator, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import BinaryIO, TextIO

from libspeech import _play
from libspeech._audio import Chunk
from libspeech._engine import Engine
from libspeech._libspeech import check_format, wav
from libspeech._request import Request, native_fields
from libspeech._stream import Stream


def say(options: argparse.Namespace) -> None:
    """Speaks a text, and writes the audio into a file or to standard output, or plays it."""
    request = Request(
        _text(options),
        options.language,
        options.voice,
        format=options.format,
        latency=options.latency,
        rate=options.rate,
        pitch=options.pitch,
        volume=options.volume,
        ssml=options.ssml,
        read_pauses=not options.no_pauses,
        read_emoji=options.read_emoji,
        read_romanized_hindi=not options.no_romanized_hindi,
    )
    # A request that is not valid is refused before the voices are loaded.
    check_format(native_fields(request))
    path = None if options.output in (None, "-") else Path(options.output)
    play = _play.find() if options.play else None
    written = play is None or options.output is not None
    if written and path is None and sys.stdout.isatty():
        sys.exit("error: standard output is a terminal: give -o FILE, --play, or a pipe like `| aplay`")
    write = _write_pcm if request.format == "pcm" else _write_wav
    with (
        Engine(options.bundle, options.threads) as engine,
        engine.stream(request) as stream,
        _progress(stream, sys.stderr) as chunks,
    ):
        if play is not None:
            chunks = list(chunks)
        if written:
            write(chunks, path)
    if play is not None:
        play(wav(b"".join(chunk.pcm for chunk in chunks)))


def _text(options: argparse.Namespace) -> str:
    text: str | None = options.text
    if text is not None:
        return text
    if options.file is None and sys.stdin.isatty():
        sys.exit("error: no text: give it as an argument, with --file, or on standard input")
    data = Path(options.file).read_bytes() if options.file else sys.stdin.buffer.read()
    try:
        return _without_final_newline(data.decode())
    except UnicodeDecodeError:
        sys.exit(f"error: {options.file or 'standard input'}: not UTF-8")


def _without_final_newline(text: str) -> str:
    # The newline at the end of a file is not part of the text, and characters are metered.
    if text.endswith("\n"):
        text = text[:-1]
        return text[:-1] if text.endswith("\r") else text
    return text


def _write_pcm(chunks: Iterable[Chunk], path: Path | None) -> None:
    with _opened(path) as output:
        for chunk in chunks:
            output.write(chunk.pcm)
            output.flush()


def _write_wav(chunks: Iterable[Chunk], path: Path | None) -> None:
    file = wav(b"".join(chunk.pcm for chunk in chunks))
    # The file is created only now, so that a failure leaves no partial file.
    with _opened(path) as output:
        output.write(file)
        output.flush()


def _opened(path: Path | None) -> AbstractContextManager[BinaryIO]:
    return nullcontext(sys.stdout.buffer) if path is None else path.open("wb")


@contextmanager
def _progress(stream: Stream, terminal: TextIO) -> Generator[Iterable[Chunk], None, None]:
    """The chunks of a stream, with a progress bar if there is a terminal."""
    if not terminal.isatty():
        yield stream
        return
    try:
        yield _with_bar(stream, terminal)
    finally:
        _draw(terminal, "")


def _with_bar(stream: Stream, terminal: TextIO) -> Iterator[Chunk]:
    _draw(terminal, _bar(0, stream.sentences))
    starts: set[int] = set()
    for chunk in stream:
        # With low latency a sentence comes in several chunks.
        starts.add(chunk.span.start)
        _draw(terminal, _bar(len(starts), stream.sentences))
        yield chunk


def _bar(done: int, total: int, width: int = 30) -> str:
    full = width * done // max(total, 1)
    return f"{'#' * full}{'-' * (width - full)} {done}/{total} sentences"


def _draw(terminal: TextIO, line: str) -> None:
    # Spaces, for terminals without escape sequences.
    terminal.write(f"\r{' ' * 60}\r{line}")
    terminal.flush()
