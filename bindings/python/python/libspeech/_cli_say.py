"""The command ``libspeech say``."""

from __future__ import annotations

import argparse
import codecs
import secrets
import shutil
import sys
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager
from io import BufferedIOBase
from pathlib import Path
from typing import BinaryIO, TextIO

from libspeech import _play
from libspeech._audio import Chunk
from libspeech._checks import string
from libspeech._engine import Engine
from libspeech._errors import TextTooLongError
from libspeech._libspeech import MAX_CHARACTERS, check_format, wav
from libspeech._request import RequestOptions, native_fields
from libspeech._stream import Stream


def say(options: argparse.Namespace) -> None:
    """Speaks a text, and writes the audio to a file or to standard output, or plays it."""
    text = _text(options)
    request: RequestOptions = {
        "language": options.language,
        "voice": options.voice,
        "latency": options.latency,
        "quality": options.quality,
        "sample_rate": options.sample_rate,
        "encoding": options.encoding,
        "rate": options.rate,
        "pitch": options.pitch,
        "volume": options.volume,
        "ssml": options.ssml,
        "read_pauses": not options.no_pauses,
        "read_emoji": options.read_emoji,
        "read_romanized_hindi": not options.no_romanized_hindi,
    }
    # Reject an invalid request before loading the voices.
    check_format(native_fields(text, request), string("format", options.format))
    path = None if options.output in (None, "-") else Path(options.output)
    play = _play.find() if options.play else None
    written = play is None or options.output is not None
    if written and path is None and sys.stdout.isatty():
        sys.exit("error: standard output is a terminal: use -o FILE, --play, or a pipe like `| aplay`")
    if path is not None and options.file not in (None, "-") and path.is_file() and path.samefile(options.file):
        sys.exit(f"error: {path} is also the text file: choose another file for -o")
    write = _write_pcm if options.format == "pcm" else _write_wav
    with (
        Engine(options.bundle, options.threads) as engine,
        engine.stream(text, **request) as stream,
        _progress(stream, sys.stderr) as chunks,
    ):
        if play is not None:
            chunks = list(chunks)
        if written:
            write(stream, chunks, path)
    if play is not None:
        play(wav(b"".join(chunk.pcm for chunk in chunks), stream.sample_rate, "pcm16"))


def _text(options: argparse.Namespace) -> str:
    text: str | None = options.text
    if text is not None:
        return text
    if options.file is None and sys.stdin.isatty():
        sys.exit("error: no text: pass it as an argument, with --file, or on standard input")
    file: str = "-" if options.file is None else options.file
    is_input = file == "-"
    try:
        with open(sys.stdin.fileno() if is_input else file, "rb", closefd=not is_input) as source:
            return _read(source)
    except UnicodeDecodeError:
        sys.exit(f"error: {'standard input' if is_input else file}: not UTF-8")


def _read(source: BufferedIOBase) -> str:
    """The text of an input. For a longer text, reads one character beyond the limit."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    text = ""
    # A final line end, of up to two characters, is not part of the text.
    while block := source.read1(MAX_CHARACTERS + 3 - len(text)):
        text += decoder.decode(block)
        # A NUL character is rejected whatever follows, so before the length is checked.
        if "\0" in text:
            return text
        if len(_without_final_newline(text).rstrip("\r")) > MAX_CHARACTERS:
            raise TextTooLongError(f"text has more characters than the limit of {MAX_CHARACTERS}")
    decoder.decode(b"", final=True)
    return _without_final_newline(text)


def _without_final_newline(text: str) -> str:
    # The final newline of a file is not part of the text, because characters are metered.
    if text.endswith("\n"):
        text = text[:-1]
        return text[:-1] if text.endswith("\r") else text
    return text


def _write_pcm(_stream: Stream, chunks: Iterable[Chunk], path: Path | None) -> None:
    with _opened(path) as output:
        for chunk in chunks:
            output.write(chunk.data)
            output.flush()


def _write_wav(stream: Stream, chunks: Iterable[Chunk], path: Path | None) -> None:
    file = wav(b"".join(chunk.pcm for chunk in chunks), stream.sample_rate, stream.encoding)
    with _opened(path) as output:
        output.write(file)
        output.flush()


@contextmanager
def _opened(path: Path | None) -> Generator[BinaryIO, None, None]:
    """Standard output, or a file that gets its name once it is complete: errors and Ctrl-C leave no partial file."""
    if path is None or path == Path("/dev/stdout"):
        yield sys.stdout.buffer
        return
    if path.exists() and not (path.is_file() and path.resolve().is_file()):
        # A pipe, another device or an open file without a name is written directly.
        with path.open("wb") as output:
            yield output
        return
    # Write the target of a link, not the link.
    target = path.resolve()
    draft = target.with_name(f".speech-{secrets.token_hex(4)}.partial")
    try:
        with draft.open("xb") as output:
            if target.exists():
                # The target must be writable, as if it were written in place.
                target.open("r+b").close()
                shutil.copymode(target, draft)
            yield output
        try:
            draft.replace(target)
        except OSError:
            # A file that is a mount point, or another user's file in a folder like /tmp, can be written but not
            # replaced.
            if not target.exists():
                raise
            shutil.copyfile(draft, target)
            draft.unlink()
    except BaseException as error:
        draft.unlink(missing_ok=True)
        if isinstance(error, OSError) and error.filename == str(draft):
            error.filename = str(path)
        raise


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
