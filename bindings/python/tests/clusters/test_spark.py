"""Batches on a Spark cluster of two executors, one of which is lost, and whose driver is killed."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pyarrow.parquet
import pytest
from quiet import Quiet, check_program, kill, processes, until, until_more

Start = Callable[..., "subprocess.Popen[bytes]"]

EXECUTOR = b"CoarseGrainedExecutorBackend"

#: Spark starts a second copy of each task that is slower than most.
DRIVER = """
import sys
from pathlib import Path

import libspeech.spark
from pyspark.sql import SparkSession
from pyspark.sql.functions import lit

action, table, folder, bundle = sys.argv[1:]
builder = SparkSession.builder.master("local-cluster[2,1,1024]").config("spark.ui.enabled", "false")
for name, value in {"": "true", ".interval": "100ms", ".multiplier": "1", ".quantile": "0.1"}.items():
    builder = builder.config(f"spark.speculation{name}", value)
spark = builder.getOrCreate()
if action == "speak":
    report = libspeech.spark.speak(spark, table, folder, shards=8, bundle=bundle)
    Path(folder + ".digest").write_text(report.digest)
else:
    rows = spark.read.json(table).withColumn("price", lit(5)).repartition(16)
    libspeech.spark.with_audio(rows, carry=["price"], bundle=bundle).write.parquet(folder)
spark.stop()
"""


@pytest.fixture(scope="module")
def quiet(fake_model: Path, tmp_path_factory: pytest.TempPathFactory) -> Quiet:
    return Quiet(tmp_path_factory.mktemp("spark"), fake_model)


@pytest.fixture
def start(quiet: Quiet, tmp_path: Path) -> Iterator[Start]:
    """Start a driver; it is killed at the end if it still runs."""
    drivers: list[subprocess.Popen[bytes]] = []

    def start(action: str, folder: Path) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-c", DRIVER, action, str(quiet.table), str(folder), str(quiet.bundle)]
        with (tmp_path / f"log-{len(drivers)}").open("wb") as log:
            drivers.append(subprocess.Popen(command, cwd=tmp_path, stdin=subprocess.DEVNULL, stdout=log, stderr=log))
        return drivers[-1]

    yield start
    for driver in drivers:
        driver.kill()
        driver.wait()


def end(driver: subprocess.Popen[bytes], log: Path) -> None:
    assert driver.wait(timeout=300) == 0, log.read_text(encoding="utf-8", errors="replace")[-4000:]


def test_a_folder_survives_a_killed_executor_and_driver(start: Start, quiet: Quiet, tmp_path: Path) -> None:
    out = tmp_path / "out"
    driver = start("speak", out)
    until_more(out)
    kill(next(processes(driver.pid, EXECUTOR)))
    until_more(out)
    of_driver = list(processes(driver.pid, b""))
    driver.kill()
    driver.wait()
    until(lambda: not any(Path(f"/proc/{process}").exists() for process in of_driver), "the cluster ends")
    again = start("speak", out)
    until_more(out)
    end(again, tmp_path / "log-1")
    quiet.check(out, (tmp_path / "out.digest").read_text())


def test_a_data_frame_survives_a_killed_executor(start: Start, quiet: Quiet, tmp_path: Path) -> None:
    out = tmp_path / "out"
    driver = start("with_audio", out)
    until(lambda: len(list(out.rglob("task_*"))) >= 2, "two of 16 tasks are done")
    kill(next(processes(driver.pid, EXECUTOR)))
    assert not (out / "_SUCCESS").exists()
    end(driver, tmp_path / "log-0")
    quiet.check_rows(pyarrow.parquet.read_table(out).to_pylist())


def test_the_program_of_the_documentation(tmp_path: Path) -> None:
    check_program("python spark", tmp_path)
