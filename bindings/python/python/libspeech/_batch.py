"""Batches."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Literal, NamedTuple, Self, cast

from libspeech import _checks, _libspeech
from libspeech._audio import Sentence, Word
from libspeech._choices import Encoding, SampleRate
from libspeech._completion import Callback, wait
from libspeech._engine import Engine
from libspeech._errors import SpeechError, WrongTypeError, from_core
from libspeech._native_types import BatchOptions, BatchRowFields, BatchSoundFields

#: The largest value of ``jobs``.
_MAX_JOBS = 256


class Sound(NamedTuple):
    """The audio file of a row.

    Attributes
    ----------
    path : Path
        The path of the file.
    seconds : float
        The duration.
    bytes : int
        The size of the file.
    sha256 : str
        The SHA-256 of the file.
    words, sentences : tuple of Word, tuple of Sentence
        The timestamps.
    skipped : tuple of slice
        The positions of skipped text, such as emoji.
    """

    path: Path
    seconds: float
    bytes: int
    sha256: str
    words: tuple[Word, ...]
    sentences: tuple[Sentence, ...]
    skipped: tuple[slice, ...]


class Row(NamedTuple):
    """A finished row: spoken by this or an earlier run, or not speakable.

    Attributes
    ----------
    id : str
        The identifier of the row.
    key : str
        The base name of the row's files: the SHA-256 of the request and of all other inputs of the audio.
    sound : Sound or None
        The audio file; None for a row that cannot be spoken.
    error : SpeechError or None
        Why the row cannot be spoken, such as an :class:`EmptyTextError`. It is not raised: the batch continues.
    """

    id: str
    key: str
    sound: Sound | None
    error: SpeechError | None


class Progress(NamedTuple):
    """The progress of a batch.

    Attributes
    ----------
    rows, all : int
        The number of finished rows, and of all rows of the shard.
    spoken : int
        The number of finished rows that this run spoke.
    seconds : float
        The seconds of audio that this run computed.
    elapsed : float
        The seconds since the start.
    """

    rows: int
    all: int
    spoken: int
    seconds: float
    elapsed: float

    @property
    def left(self) -> float | None:
        """The estimated seconds to the end; None before this run has spoken a row."""
        return self.elapsed / self.spoken * (self.all - self.rows) if self.spoken else None


class Report(NamedTuple):
    """A comparison of the folder with the table.

    Attributes
    ----------
    rows, done, unfinished : int
        The number of all rows, of those with audio, and of those without a result.
    failed : dict of str to int
        The number of rows that cannot be spoken, by type of error.
    spoken : int
        The number of requests that this run tried to speak.
    seconds, seconds_spoken : float
        The seconds of audio of all rows, and of those that this run spoke.
    digest : str
        The SHA-256 of the identifiers, keys and audio files of all rows. Equal digests mean equal results.
    """

    rows: int
    done: int
    failed: dict[str, int]
    unfinished: int
    spoken: int
    seconds: float
    seconds_spoken: float
    digest: str


class Damage(NamedTuple):
    """A row whose file is missing or altered.

    Attributes
    ----------
    id : str
        The identifier of the row.
    problem : str
        The problem.
    """

    id: str
    problem: str


class Batch(Iterator[Row]):
    """A running batch, from :func:`speak`: an iterator of :class:`Row`, in the order in which rows are finished.

    Threads of the library speak the rows, independently of the iteration; up to 64 finished rows are queued.
    :meth:`close` ends the batch early, from any thread. So do the end of a ``with`` block, dropping the batch, and
    Ctrl-C. Finished rows are kept, and the next run continues.

    Attributes
    ----------
    progress : Progress
        The progress, as of the last row.
    report : Report or None
        The report; None until the loop has ended.
    """

    def __init__(self, native: _libspeech.Batch) -> None:
        self._native = native
        self._closed = False
        self._start = time.monotonic()
        self.progress: Progress = Progress(0, 0, 0, 0.0, 0.0)
        self.report: Report | None = None

    @property
    def closed(self) -> bool:
        """Whether the batch has ended, or was closed."""
        return self._closed

    def close(self) -> None:
        """Ends the batch. A thread that waits for a row gets a :class:`CancelledError`."""
        self._closed = True
        self._native.close()

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> Row:
        """The next row, as soon as it is finished.

        Raises
        ------
        InvalidRequestError
            For a table with an invalid line, an identifier with two requests, and a folder of another job. The message
            names the difference. Nothing is spoken then.
        CancelledError
            If the batch or its engine is closed meanwhile.
        InternalError
            If a file cannot be read or written, or the computation fails. Running again may help.
        """
        if self._closed:
            raise StopIteration
        item = cast("BatchRowFields | str", wait(self._native.next, self.close))
        if isinstance(item, str):
            self._closed = True
            self.report = Report(**json.loads(item))
            raise StopIteration
        id_, key, progress, error, sound = item
        self.progress = Progress(*progress, elapsed=time.monotonic() - self._start)
        return Row(id_, key, None if sound is None else _sound(sound), None if error is None else from_core(*error))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def __reduce__(self) -> str:
        raise TypeError("a Batch cannot be pickled or copied: send its rows, which can")


def speak(
    engine: Engine,
    rows: str | os.PathLike[str] | Iterable[Mapping[str, object]],
    folder: str | os.PathLike[str],
    *,
    sample_rate: SampleRate = 22_050,
    encoding: Encoding = "pcm16",
    format: Literal["wav", "flac"] = "wav",
    shard: tuple[int, int] = (0, 1),
    jobs: int | None = None,
    verify: bool = False,
    retry: bool = False,
) -> Batch:
    """Speaks the rows that a folder lacks.

    Parameters
    ----------
    engine : Engine
        The engine. To use all cores: ``max_concurrency`` equal to their number, with one thread each.
    rows : path or iterable of mapping
        The table: the path of JSON lines, or of CSV in a file ``*.csv``; or rows with ``id``, ``text`` and options of a
        request. An unknown field is an error.
    folder : path
        The output folder. All of its audio has one engine and format: a run with others is an error.
    sample_rate, encoding : int, str
        The sample format.
    format : str
        The format of the files: ``"wav"``, or ``"flac"`` with the encoding ``"pcm16"``.
    shard : tuple of int
        The part of the rows: ``(0, 4)`` is the first of four. Shards may run on several machines, into one folder.
    jobs : int, optional
        The number of rows to speak at once. By default ``max_concurrency`` of the engine.
    verify : bool
        Whether existing audio is read, and spoken again if it is damaged.
    retry : bool
        Whether rows that could not be spoken are tried again.

    Returns
    -------
    Batch
        The running batch. Its first step raises errors of the table and of the folder.

    Raises
    ------
    InvalidRequestError
        For arguments of the wrong type.
    """
    index, count = shard
    options = BatchOptions(
        folder=_path("folder", folder),
        sample_rate=_checks.sample_rate("sample_rate", sample_rate),
        encoding=_checks.encoding("encoding", encoding),
        format=_checks.string("format", format),
        shard=f"{index}/{count}",
        jobs=_checks.optional_count("jobs", jobs, 1, _MAX_JOBS),
        verify=_checks.flag("verify", verify),
        retry=_checks.flag("retry", retry),
    )
    return Batch(engine._native.batch(_table(rows), options))


def check(folder: str | os.PathLike[str]) -> tuple[Report, list[Damage]]:
    """Reads all audio of a folder, and compares it with the index.

    Returns
    -------
    tuple of Report and list of Damage
        The report, and the rows with missing or damaged audio, which :func:`speak` with ``verify`` speaks again.

    Raises
    ------
    InvalidRequestError
        For a folder that does not belong to a batch.
    """
    path = _path("folder", folder)

    def start(callback: Callback[tuple[str, list[tuple[str, str]]]]) -> None:
        _libspeech.check_batch(path, callback)

    report, damage = wait(start, lambda: None)
    return Report(**json.loads(report)), [Damage(*row) for row in damage]


def _path(name: str, value: object) -> str:
    if not isinstance(value, (str, os.PathLike)):
        raise WrongTypeError(f"{name} must be a path")
    return os.fspath(value)


def _table(rows: str | os.PathLike[str] | Iterable[Mapping[str, object]]) -> list[str] | str:
    if isinstance(rows, (str, os.PathLike)):
        return _path("rows", rows)
    table = []
    for row in rows:
        if not isinstance(row, Mapping):
            raise WrongTypeError("a row must be a mapping")
        try:
            table.append(json.dumps(dict(row)))
        except (TypeError, ValueError):
            problem = f"row {len(table)} has a value that is no string, number, boolean or mapping"
        else:
            continue
        raise WrongTypeError(problem)
    return table


def _sound(fields: BatchSoundFields) -> Sound:
    path, seconds, size, sha256, words, sentences, skipped = fields
    return Sound(
        Path(path),
        seconds,
        size,
        sha256,
        tuple(Word(slice(start, end), since, until) for start, end, since, until in words),
        tuple(Sentence(slice(start, end), since, until) for start, end, since, until in sentences),
        tuple(slice(start, end) for start, end in skipped),
    )
