"""Batches on a Spark cluster, with the extra ``libspeech-sdk[spark]``.

:func:`speak` speaks a table into a folder that all machines share. :func:`with_audio` adds the audio to a data frame.
Both give the bytes of :func:`libspeech.batch.speak` on one machine. Each task uses one core. Spark repeats the tasks of
lost executors; speculative tasks are harmless.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Collection, Iterable, Iterator
from typing import Unpack, cast

from libspeech import _cluster
from libspeech._batch import Report
from libspeech._cluster import Options, Rows

try:
    import pyarrow as pa
    from pyspark.sql import DataFrame, SparkSession
    from pyspark.sql.types import StructType
except ImportError as _error:
    raise _cluster.missing("spark", _error) from _error

__all__ = ["Options", "speak", "with_audio"]

_ADDED = (
    "key string, audio binary, sha256 string, seconds double,"
    " words array<struct<first: int, last: int, start: double, end: double>>, error string, message string"
)


def speak(
    spark: SparkSession,
    rows: Rows,
    folder: str | os.PathLike[str],
    *,
    shards: int,
    **options: Unpack[Options],
) -> Report:
    """Speaks the rows that a shared folder lacks, then writes the index of all rows.

    Parameters
    ----------
    spark : SparkSession
        The session.
    rows : path or iterable of mapping
        The table, as for :func:`libspeech.batch.speak`. All machines must be able to read the path.
    folder : path
        The output folder, on a disk that all machines share. An interrupted run is resumed.
    shards : int
        The number of tasks: several for each core of the cluster.
    **options
        Those of :class:`Options`.

    Returns
    -------
    Report
        The report of all rows.

    Raises
    ------
    pyspark.errors.PythonException
        If a task fails. The message has the error of :func:`libspeech.batch.speak`.
    """
    settings, table, place = _cluster.settings(options), _cluster.table(rows), os.path.abspath(folder)
    _run(spark, shards, lambda index: json.dumps(_cluster.shard(settings, table, place, (index, shards))))
    (report,) = _run(spark, 1, lambda _: json.dumps(_cluster.shard(settings, table, place, (0, 1))))
    return Report(*json.loads(report))


def with_audio(frame: DataFrame, *, carry: Collection[str] = (), **options: Unpack[Options]) -> DataFrame:
    """Adds the audio of each row to a data frame.

    The columns are the fields of a row of :func:`libspeech.batch.speak`; ``id`` may be missing or have any type. The
    partitions of the frame are the units of work: :meth:`DataFrame.repartition` makes as many as the cluster can use.

    Parameters
    ----------
    frame : DataFrame
        The data frame.
    carry : collection of str
        Columns that are not fields of a row, and are copied to the result. Other unknown columns are an error.
    **options
        Those of :class:`Options`.

    Returns
    -------
    DataFrame
        The frame with the columns ``key``, ``audio`` (the file), ``sha256``, ``seconds``, ``words``, ``error`` (the
        type) and ``message``. A row has either audio or an error.
    """
    settings = _cluster.settings(options)
    (manifest,) = _run(frame.sparkSession, 1, lambda _: _cluster.manifest(settings).decode())

    def add(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            for start in range(0, batch.num_rows, _cluster.ROWS):
                part = pa.Table.from_batches([batch.slice(start, _cluster.ROWS)])
                yield from _cluster.with_audio(part, settings, manifest.encode(), carry).to_batches()

    added = cast(StructType, StructType.fromDDL(_ADDED))
    return frame.mapInArrow(add, StructType([*frame.schema.fields, *added.fields]))


def _run(spark: SparkSession, tasks: int, task: Callable[[int], str]) -> list[str]:
    """Runs so many tasks on the cluster, numbered from 0."""

    def run(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            yield pa.RecordBatch.from_pydict({"result": [task(index) for index in batch.column(0).to_pylist()]})

    return [row.result for row in spark.range(0, tasks, 1, tasks).mapInArrow(run, "result string").collect()]
