"""Runs every configuration in a process of its own, in turn, over and over, and keeps what each of them measured."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from . import children, speech
from .calibration import ProcessorTimes, calibrate, other_load
from .configurations import BASELINE, CONFIGURATIONS, LOW_LATENCY, TEXTS, Configuration, by_name
from .errors import CompareError, NotHere
from .inputs import Inputs
from .machine import describe
from .summary import Process, summarize

TOLERANCE = 1.1
"""A process that uses more processors than its threads times this is not limited as it should be."""

Say = Callable[[str], None]


@dataclass(frozen=True)
class Settings:
    """How much is measured."""

    threads: Sequence[int]
    rounds: int
    runs: int
    configurations: Sequence[Configuration] = CONFIGURATIONS


class Comparison:
    """The processes that have run so far, and what could not run."""

    def __init__(self, program: Path, inputs: Inputs, settings: Settings, say: Say) -> None:
        self._program = program
        self._inputs = inputs
        self._settings = settings
        self._say = say
        self._help = speech.bench_help(program)
        self._processes: list[Process] = []
        self._unavailable: dict[str, str] = {}

    def round(self, index: int) -> None:
        """Runs each configuration once with each number of threads, in an order that is another one each round."""
        pairs = [(c, threads) for c in self._settings.configurations for threads in self._settings.threads]
        random.Random(index).shuffle(pairs)
        for configuration, threads in pairs:
            if configuration.name not in self._unavailable:
                self._step(index, configuration, threads)

    def result(self) -> dict[str, Any]:
        """Everything measured and its summary, for JSON."""
        measured = {process["configuration"] for process in self._processes}
        names = [c.name for c in CONFIGURATIONS if c.name in measured]
        ours = [name for name in names if by_name(name).ours and name != LOW_LATENCY]
        theirs = [name for name in names if not by_name(name).ours]
        position = {name: index for index, name in enumerate(names)}
        ordered = sorted(self._processes, key=lambda p: (p["round"], position[p["configuration"]], p["threads"]))
        return {
            "machine": describe(),
            "settings": {
                "threads": list(self._settings.threads),
                "rounds": self._settings.rounds,
                "runs": self._settings.runs,
            },
            "versions": self._versions(),
            "unavailable": self._unavailable,
            "summary": summarize(ordered, ours, theirs, LOW_LATENCY),
            "processes": self._processes,
        }

    def _step(self, index: int, configuration: Configuration, threads: int) -> None:
        what = f"round {index + 1} of {self._settings.rounds}: {configuration.label}, {threads} thread(s)"
        try:
            process = self._measured(configuration, threads)
        except NotHere as reason:
            if any(process["configuration"] == configuration.name for process in self._processes):
                raise CompareError(f"{configuration.label} ran before, and now: {reason}") from reason
            self._unavailable[configuration.name] = str(reason)
            self._say(f"{what}: {reason}")
            return
        self._processes.append({"round": index, "configuration": configuration.name, "threads": threads, **process})
        factors = ", ".join(f"{text['rtf']:.3f}" for text in process["report"]["texts"])
        self._say(f"{what}: real-time factors {factors}")

    def _measured(self, configuration: Configuration, threads: int) -> dict[str, Any]:
        """What a process measures, and what is seen of it from outside."""
        calibrated = calibrate()
        before = ProcessorTimes.now()
        finished = self._ours(configuration, threads) if configuration.ours else self._theirs(configuration, threads)
        after = ProcessorTimes.now()
        require_limited(configuration, threads, finished.cpu_s / finished.wall_s)
        if finished.report.get("peak_rss_mb") is None:
            finished.report["peak_rss_mb"] = finished.peak_rss_mb
        return {
            "report": finished.report,
            "wall_s": finished.wall_s,
            "cpu_s": finished.cpu_s,
            "calibration_ms": [calibrated, calibrate()],
            "other_load": other_load(before, after, finished.cpu_s, finished.wall_s),
        }

    def _ours(self, configuration: Configuration, threads: int) -> children.Finished:
        """Runs the program of this repository, which may decline a configuration."""
        asked = speech.arguments(configuration, self._help)
        sizes = ["--threads", str(threads), "--runs", str(self._settings.runs)]
        try:
            finished = children.run([self._program, "bench", "--json", *sizes, *asked], _limits(threads))
        except children.ChildFailed as failure:
            if failure.crashed or configuration.name == BASELINE:
                raise CompareError(f"{configuration.label} failed: {failure}") from failure
            raise NotHere(f"not on this processor: {failure}") from failure
        speech.require_asked(configuration, asked, finished.report)
        speech.require_same_texts(finished.report)
        return finished

    def _theirs(self, configuration: Configuration, threads: int) -> children.Finished:
        """Runs the driver of another engine."""
        command = [sys.executable, "-m", f"{__package__}.drivers.{configuration.driver}"]
        options = {**self._inputs.options(configuration.driver), **configuration.options}
        job = {"threads": threads, "runs": self._settings.runs, "texts": TEXTS, "options": options}
        try:
            return children.run(command, _limits(threads), json.dumps(job))
        except children.ChildFailed as failure:
            raise CompareError(f"{configuration.label} failed: {failure}") from failure

    def _versions(self) -> dict[str, str]:
        output = subprocess.run([self._program, "--version"], capture_output=True, encoding="utf-8", check=True).stdout
        versions = {"libspeech": output.split()[-1]}
        for process in self._processes:
            versions |= process["report"].get("versions", {})
        return versions


def require_limited(configuration: Configuration, threads: int, used: float) -> None:
    """A process may not have used more processors than the threads that it was asked to use."""
    if used > threads * TOLERANCE:
        raise CompareError(f"{configuration.label} used {used:.2f} processors where {threads} thread(s) were asked for")


def _limits(threads: int) -> dict[str, str]:
    """The environment that holds numeric libraries to so many threads."""
    return {"OMP_NUM_THREADS": str(threads), "OPENBLAS_NUM_THREADS": str(threads)}
