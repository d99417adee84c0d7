"""Batches on a Ray cluster, with the extra ``libspeech-sdk[ray]``.

:func:`speak` speaks a table into a folder that all machines share. :func:`with_audio` adds the audio to a data set.
Both give the bytes of :func:`libspeech.batch.speak` on one machine. Each task uses one core. Tasks of lost workers and
machines run again.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Collection
from typing import Unpack

from libspeech import _cluster
from libspeech._batch import Report
from libspeech._cluster import Options, Rows
from libspeech._errors import InternalError

try:
    import ray
    from ray.data import Dataset
except ImportError as _error:
    raise _cluster.missing("ray", _error) from _error

__all__ = ["Options", "speak", "with_audio"]

#: The number of times that a task is repeated if its worker is lost, or if it fails with an InternalError.
_RETRIES = 10


def speak(rows: Rows, folder: str | os.PathLike[str], *, shards: int, **options: Unpack[Options]) -> Report:
    """Speaks the rows that a shared folder lacks, then writes the index of all rows.

    Parameters
    ----------
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
    InvalidRequestError
        For errors of the table and of the folder, and for workers that compute other audio.
    InternalError
        If a file cannot be read or written, or the computation fails.
    """
    settings, place = _cluster.settings(options), os.path.abspath(folder)
    table = ray.put(_cluster.table(rows))
    task = ray.remote(_cluster.shard).options(
        num_cpus=1, max_retries=_RETRIES, retry_exceptions=[InternalError], scheduling_strategy="SPREAD"
    )
    running = [task.remote(settings, table, place, (index, shards)) for index in range(shards)]
    try:
        ray.get(running)
    except BaseException:
        for reference in running:
            ray.cancel(reference)
        raise
    report: Report = ray.get(task.remote(settings, table, place, (0, 1)))
    return report


def with_audio(dataset: Dataset, *, carry: Collection[str] = (), **options: Unpack[Options]) -> Dataset:
    """Adds the audio of each row to a data set.

    The columns are the fields of a row of :func:`libspeech.batch.speak`; ``id`` may be missing or have any type. The
    blocks of the data set are the units of work: :meth:`Dataset.repartition` makes as many as the cluster can use.

    Parameters
    ----------
    dataset : Dataset
        The data set.
    carry : collection of str
        Columns that are not fields of a row, and are copied to the result. Other unknown columns are an error.
    **options
        Those of :class:`Options`.

    Returns
    -------
    Dataset
        The data set with the columns ``key``, ``audio`` (the file), ``sha256``, ``seconds``, ``words``, ``error`` (the
        type) and ``message``. A row has either audio or an error.
    """
    settings = _cluster.settings(options)
    manifest = ray.get(ray.remote(num_cpus=1)(_cluster.manifest).remote(settings))
    add = functools.partial(_cluster.with_audio, settings=settings, manifest=manifest, carry=carry)
    return dataset.map_batches(add, batch_format="pyarrow", batch_size=_cluster.ROWS, num_cpus=1)
