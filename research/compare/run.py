"""Runs every configuration in its own process, in turn, for several rounds, and stores the measurements."""

from __future__ import annotations

import json
import random
import subprocess
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from . import children, speech
from .calibration import ProcessorTimes, calibrate, other_load
from .configurations import (
    BASELINE,
    CONFIGURATIONS,
    JUDGED,
    LOW_LATENCY,
    SENTENCE,
    TEXTS,
    Configuration,
    by_name,
)
from .drivers.protocol import write_wav
from .errors import CompareError, NotHere
from .inputs import Inputs
from .machine import describe, usable_processors
from .summary import Process, summarize

TOLERANCE = 1.1
"""The allowed ratio of used processors to threads; a process above it is not limited properly."""

Say = Callable[[str], None]


@dataclass(frozen=True)
class Settings:
    """The amount of measurement."""

    threads: Sequence[int]
    sessions: Sequence[int]
    rounds: int
    runs: int
    configurations: Sequence[Configuration] = CONFIGURATIONS


class Comparison:
    """The processes run so far, and the configurations that cannot run."""

    def __init__(self, program: Path, inputs: Inputs, settings: Settings, say: Say) -> None:
        self._program = program
        self._inputs = inputs
        self._settings = settings
        self._say = say
        self._help = speech.bench_help(program)
        self._processes: list[Process] = []
        self._served: list[Process] = []
        self._unavailable: dict[str, str] = {}

    def round(self, index: int) -> None:
        """Runs each configuration once with each number of threads and of sessions, in a different order each round."""
        chosen = self._settings.configurations
        steps = [(self._step, c, threads) for c in chosen for threads in self._settings.threads]
        steps += [(self._serve, c, sessions) for c in chosen if c.serves for sessions in self._settings.sessions]
        random.Random(index).shuffle(steps)
        for step, configuration, count in steps:
            if configuration.name not in self._unavailable:
                step(index, configuration, count)

    def record(self, directory: Path) -> None:
        """Writes the audio of each measured configuration, one folder each. Nothing is timed."""
        measured = {process["configuration"] for process in self._processes}
        chosen = [c for c in self._settings.configurations if c.name in measured]
        with ThreadPoolExecutor(usable_processors()) as pool:
            list(pool.map(lambda c: self._record(c, directory / c.name), chosen))

    def result(self) -> dict[str, Any]:
        """All measurements and their summary, for JSON."""
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
                "sessions": list(self._settings.sessions),
                "rounds": self._settings.rounds,
                "runs": self._settings.runs,
            },
            "versions": self._versions(),
            "unavailable": self._unavailable,
            "summary": summarize(ordered, self._served, ours, theirs, LOW_LATENCY),
            "processes": self._processes,
            "served": self._served,
        }

    def _step(self, index: int, configuration: Configuration, threads: int) -> None:
        what = f"round {index + 1} of {self._settings.rounds}: {configuration.label}, {threads} thread(s)"
        measured = self._unless_not_here(what, configuration, threads, self._measured)
        if measured is not None:
            self._processes.append(
                {"round": index, "configuration": configuration.name, "threads": threads, **measured}
            )
            factors = ", ".join(f"{text['rtf']:.3f}" for text in measured["report"]["texts"])
            self._say(f"{what}: real-time factors {factors}")

    def _serve(self, index: int, configuration: Configuration, sessions: int) -> None:
        what = f"round {index + 1} of {self._settings.rounds}: {configuration.label}, {sessions} session(s)"
        measured = self._unless_not_here(what, configuration, sessions, self._measured_sessions)
        if measured is not None:
            self._served.append({"round": index, "configuration": configuration.name, "sessions": sessions, **measured})
            self._say(f"{what}: {measured['sound_s'] / measured['wall_s']:.2f} s of sound a second")

    def _unless_not_here(
        self,
        what: str,
        configuration: Configuration,
        count: int,
        measure: Callable[[Configuration, int], dict[str, Any]],
    ) -> dict[str, Any] | None:
        try:
            return measure(configuration, count)
        except NotHere as reason:
            if any(p["configuration"] == configuration.name for p in [*self._processes, *self._served]):
                raise CompareError(f"{configuration.label} ran before, and now: {reason}") from reason
            self._unavailable[configuration.name] = str(reason)
            self._say(f"{what}: {reason}")
            return None

    def _measured(self, configuration: Configuration, threads: int) -> dict[str, Any]:
        """The measurements of a process, from inside and from outside."""

        def measure() -> list[children.Finished]:
            if configuration.ours:
                finished = self._ours(configuration, ["--threads", str(threads), "--runs", str(self._settings.runs * configuration.repeats)])
                speech.require_same_texts(finished.report)
                return [finished]
            job = {"task": "measure", "threads": threads, "runs": self._settings.runs * configuration.repeats, "texts": TEXTS}
            return self._theirs(configuration, job, 1)

        [finished], surroundings = _watched(measure)
        require_limited(configuration, threads, finished.cpu_s / finished.wall_s)
        if finished.report.get("peak_rss_mb") is None:
            finished.report["peak_rss_mb"] = finished.peak_rss_mb
        return {"report": finished.report, "wall_s": finished.wall_s, "cpu_s": finished.cpu_s, **surroundings}

    def _measured_sessions(self, configuration: Configuration, sessions: int) -> dict[str, Any]:
        """The throughput of several single-threaded sessions: in one process for ours, one process each for the
        others."""
        runs = 2 * self._settings.runs * configuration.repeats

        def measure() -> list[children.Finished]:
            if configuration.ours:
                sizes = ["--threads", "1", "--sessions", str(sessions), "--runs", str(runs)]
                finished = self._ours(configuration, sizes)
                speech.require_same_sentence(finished.report)
                return [finished]
            texts = [entry for entry in TEXTS if entry["name"] == SENTENCE]
            return self._theirs(configuration, {"task": "serve", "threads": 1, "runs": runs, "texts": texts}, sessions)

        finished, surroundings = _watched(measure)
        for process in finished:
            require_limited(configuration, sessions if configuration.ours else 1, process.cpu_s / process.wall_s)
        reports = [process.report for process in finished]
        return {
            "sound_s": sum(report["sound_s"] for report in reports),
            "wall_s": reports[0]["wall_s"]
            if configuration.ours
            else max(report["end"] for report in reports) - min(report["start"] for report in reports),
            "peak_rss_mb": sum(process.report.get("peak_rss_mb") or process.peak_rss_mb for process in finished),
            **surroundings,
        }

    def _record(self, configuration: Configuration, directory: Path) -> None:
        directory.mkdir(parents=True, exist_ok=True)
        if configuration.ours:
            asked = speech.arguments(configuration, self._help)
            for entry in JUDGED:
                samples = speech.record(self._program, configuration, asked, entry["text"])
                write_wav(directory / f"{entry['name']}.wav", samples, speech.RATE)
        else:
            job = {"task": "record", "threads": 1, "texts": JUDGED, "to": str(directory)}
            self._theirs(configuration, job, 1)
        self._say(f"{configuration.label}: recorded")

    def _ours(self, configuration: Configuration, sizes: list[str]) -> children.Finished:
        """Runs this repository's program, which may reject a configuration."""
        asked = speech.arguments(configuration, self._help)
        threads = int(sizes[sizes.index("--threads") + 1])
        try:
            finished = children.run([self._program, "bench", "--json", *sizes, *asked], _limits(threads))
        except children.ChildFailed as failure:
            if failure.crashed or configuration.name == BASELINE:
                raise CompareError(f"{configuration.label} failed: {failure}") from failure
            raise NotHere(f"not on this processor: {failure}") from failure
        speech.require_asked(configuration, asked, finished.report)
        return finished

    def _theirs(self, configuration: Configuration, job: dict[str, Any], count: int) -> list[children.Finished]:
        """Runs the driver of another engine, in `count` processes."""
        driver = configuration.driver
        command = [self._inputs.interpreter(driver), "-m", f"{__package__}.drivers.{driver}"]
        given = json.dumps({**job, "options": {**self._inputs.options(driver), **configuration.options}})
        limits = _limits(job["threads"])
        try:
            if job["task"] == "serve":
                return children.run_together(command, limits, given, count)
            return [children.run(command, limits, given)]
        except children.ChildFailed as failure:
            raise CompareError(f"{configuration.label} failed: {failure}") from failure

    def _versions(self) -> dict[str, str]:
        output = subprocess.run([self._program, "--version"], capture_output=True, encoding="utf-8", check=True).stdout
        versions = {"libspeech": output.split()[-1]}
        for process in self._processes:
            versions |= process["report"].get("versions", {})
        return versions


def require_limited(configuration: Configuration, threads: int, used: float) -> None:
    """Raises if a process used more processors than the requested number of threads."""
    if used > threads * TOLERANCE:
        raise CompareError(f"{configuration.label} used {used:.2f} processors where {threads} thread(s) were asked for")


def _watched(
    measure: Callable[[], list[children.Finished]],
) -> tuple[list[children.Finished], dict[str, Any]]:
    """The measurement, with the calibration before and after it and the other load during it."""
    calibrated = calibrate()
    start, before = time.perf_counter(), ProcessorTimes.now()
    finished = measure()
    wall, after = time.perf_counter() - start, ProcessorTimes.now()
    other = other_load(before, after, sum(process.cpu_s for process in finished), wall)
    return finished, {"calibration_ms": [calibrated, calibrate()], "other_load": other}


def _limits(threads: int) -> dict[str, str]:
    """The environment that limits numeric libraries to this many threads."""
    return {"OMP_NUM_THREADS": str(threads), "OPENBLAS_NUM_THREADS": str(threads)}
