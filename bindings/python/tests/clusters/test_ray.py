"""Batches on a Ray cluster of two nodes, one of which is lost."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import libspeech
import libspeech.ray
import pyarrow
import pytest
import ray
from quiet import ROWS, Quiet, check_program, kill, processes, until, until_more
from ray.cluster_utils import Cluster

# Ray warns of itself.
pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    # Otherwise other programs of the machine starve the workers.
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "_system_config": {"worker_niceness": 0}})
    ray.init(address=cluster.address, log_to_driver=False)
    yield cluster
    ray.shutdown()
    cluster.shutdown()  # type: ignore[no-untyped-call, unused-ignore]


@pytest.fixture(scope="module")
def quiet(fake_model: Path, tmp_path_factory: pytest.TempPathFactory) -> Quiet:
    return Quiet(tmp_path_factory.mktemp("ray"), fake_model)


def workers(node: object, task: bytes) -> list[int]:
    """The processes of a node that run a task."""
    return list(processes(node.all_processes["raylet"][0].process.pid, b"ray::" + task))  # type: ignore[attr-defined]


def test_a_folder_survives_a_killed_worker_and_a_lost_node(cluster: Cluster, quiet: Quiet, tmp_path: Path) -> None:
    node = cluster.add_node(num_cpus=1)
    cluster.wait_for_nodes()
    with ThreadPoolExecutor() as pool:
        run = pool.submit(libspeech.ray.speak, quiet.table, tmp_path / "out", shards=8, bundle=quiet.bundle)
        until_more(tmp_path / "out")
        kill(workers(cluster.head_node, b"shard")[0])
        until_more(tmp_path / "out")
        assert workers(node, b"shard")
        cluster.remove_node(node, allow_graceful=False)
        until_more(tmp_path / "out")
        report = run.result()
    assert report.failed == {"empty_text": 1}
    quiet.check(tmp_path / "out", report.digest)


def test_a_data_set_survives_a_killed_worker_and_a_lost_node(cluster: Cluster, quiet: Quiet) -> None:
    node = cluster.add_node(num_cpus=1)
    cluster.wait_for_nodes()
    blocks = [ROWS[start : start + 10] for start in range(0, len(ROWS), 10)]
    rows = ray.data.from_arrow([pyarrow.Table.from_pylist([row | {"price": 5} for row in block]) for block in blocks])
    audio = libspeech.ray.with_audio(rows, carry=["price"], bundle=quiet.bundle)
    with ThreadPoolExecutor() as pool:
        run = pool.submit(audio.take_all)
        task = b"MapBatches"
        until(lambda: bool(workers(cluster.head_node, task) and workers(node, task)), "both nodes work")
        kill(workers(cluster.head_node, task)[0])
        until(lambda: bool(workers(cluster.head_node, task) and workers(node, task)), "both nodes work")
        cluster.remove_node(node, allow_graceful=False)
        assert not run.done()
        quiet.check_rows(run.result())


def test_another_voice_bundle_or_field_ends_the_job(cluster: Cluster, quiet: Quiet, tmp_path: Path) -> None:
    row = {"id": "1", "text": "One."}
    libspeech.ray.speak([row], tmp_path / "out", shards=2, bundle=quiet.bundle)
    with pytest.raises(libspeech.InvalidRequestError, match='precision is "fp32" now'):
        libspeech.ray.speak([row], tmp_path / "out", shards=2, bundle=quiet.bundle, precision="fp32")
    rows = ray.data.from_items([row | {"voise": "leo"}])
    with pytest.raises(Exception, match="unknown field `voise`"):
        libspeech.ray.with_audio(rows, bundle=quiet.bundle).take_all()


def test_the_program_of_the_documentation(tmp_path: Path) -> None:
    check_program("python ray", tmp_path)
