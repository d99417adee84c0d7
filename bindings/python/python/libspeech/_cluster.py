"""The parts of a batch that the workers of a cluster run."""

from __future__ import annotations

import functools
import inspect
import json
import os
import tempfile
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypedDict

from libspeech._batch import Report, Row, speak
from libspeech._choices import Encoding, Kernels, Precision, SampleRate
from libspeech._engine import Engine

if TYPE_CHECKING:
    import pyarrow as pa

#: The path of a table that all machines can read, or its rows.
Rows = str | os.PathLike[str] | Iterable[Mapping[str, object]]

#: The number of rows that a worker speaks before it passes their audio on.
ROWS = 16


class Options(TypedDict, total=False):
    """The options of :class:`libspeech.Engine` and of :func:`libspeech.batch.speak` for all workers.

    Workers with other kernels, another precision or another voice bundle compute other bytes, and end the job with an
    error. If the processors differ, name kernels and a precision that all of them support, such as ``"avx2"`` and
    ``"int16"``.
    """

    bundle: str | os.PathLike[str]
    kernels: Kernels
    precision: Precision
    map_bundle: bool
    pronunciations: dict[str, str]
    sample_rate: SampleRate
    encoding: Encoding
    format: Literal["wav", "flac"]
    verify: bool
    retry: bool


def missing(extra: str, error: ImportError) -> ImportError:
    """The error for an extra that is not installed."""
    message = f"libspeech.{extra} needs more packages: pip install 'libspeech-sdk[{extra}]'"
    return ImportError(message, name=error.name)


def settings(options: Options) -> str:
    """The options in a form that can be sent to workers and compared."""
    return json.dumps(options, default=os.path.abspath, sort_keys=True)


def table(rows: Rows) -> Rows:
    """The rows in a form that can be sent to workers."""
    return os.path.abspath(rows) if isinstance(rows, (str, os.PathLike)) else list(rows)


@functools.lru_cache(maxsize=1)
def _loaded(settings: str) -> tuple[Engine, dict[str, Any]]:
    """The engine of this process, and the options of its batches."""
    options = json.loads(settings)
    of_engine = {name: options.pop(name) for name in inspect.signature(Engine).parameters if name in options}
    return Engine(threads=1, **of_engine), options


def shard(settings: str, rows: Rows, folder: str, part: tuple[int, int]) -> Report:
    """Speaks a shard of the rows."""
    engine, options = _loaded(settings)
    run = speak(engine, rows, folder, shard=part, **options)
    for _ in run:
        pass
    assert run.report is not None
    return run.report


def manifest(settings: str) -> bytes:
    """The manifest of the audio that this machine computes."""
    with tempfile.TemporaryDirectory() as folder:
        shard(settings, [], folder, (0, 1))
        return Path(folder, "manifest.json").read_bytes()


def with_audio(table: pa.Table, settings: str, manifest: bytes, carry: Collection[str]) -> pa.Table:
    """Speaks each row of a table, and adds the columns of the results."""
    import pyarrow as pa

    word = pa.struct([("first", pa.int32()), ("last", pa.int32()), ("start", pa.float64()), ("end", pa.float64())])
    added = {
        "key": pa.string(),
        "audio": pa.binary(),
        "sha256": pa.string(),
        "seconds": pa.float64(),
        "words": pa.list_(word),
        "error": pa.string(),
        "message": pa.string(),
    }
    engine, options = _loaded(settings)
    used = [name for name in table.column_names if name not in {"id", *carry}]
    rows = [
        {**row, "id": str(place), "text": row["text"] or ""}
        for place, row in enumerate(table.select(used).to_pylist(maps_as_pydicts="strict"))
    ]
    with tempfile.TemporaryDirectory() as folder:
        # The batch fails if this machine computes other audio.
        Path(folder, "manifest.json").write_bytes(manifest)
        spoken = {row.id: _values(row) for row in speak(engine, rows, folder, **options)}
    for name, type_ in added.items():
        values = pa.array([spoken[str(row["id"])].get(name) for row in rows], type_)
        table = table.append_column(name, values)
    return table


def _values(row: Row) -> dict[str, object]:
    if row.sound is None:
        assert row.error is not None
        return {"key": row.key, "error": row.error.type, "message": str(row.error)}
    sound = row.sound
    words = [
        {"first": word.span.start, "last": word.span.stop, "start": word.start, "end": word.end} for word in sound.words
    ]
    values = {"key": row.key, "sha256": sound.sha256, "seconds": sound.seconds, "words": words}
    return values | {"audio": sound.path.read_bytes()}
