"""Speed of `speech` against the kokoro-onnx package, side by side on this machine.

  python tools/compare/compare.py --speech target/release/speech --model MODEL.onnx --styles DIR [--bundle DIR]

Both speak the texts built into `speech bench`, on one thread, each in a process of its own, in turn: ours, theirs,
ours, theirs. Each process speaks every text once untimed, then --runs times, and the median counts. The table shows
medians over the rounds; "faster" is the median of the ratios within a round (theirs / ours), with the smallest and
the largest. Unless SPEECH_ONNXRUNTIME is set, ours runs on the ONNX Runtime library that theirs runs on.

Real-time factor: seconds of computing for a second of audio. The two make audio of different length from the same
text (other phonemes, other pauses), so both lengths are shown. Peak memory is the whole process's, as the system
counts it. Load time is without starting the process; Python's imports are not in theirs.

README.md says where MODEL.onnx and the style vectors come from.
"""

import argparse
import importlib.util
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent
STYLE_SHAPE = (510, 1, 256)


def run(command, environment=None, given=""):
    """Standard output as JSON, and the peak memory of the process in MB."""
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as given_file:
        given_file.write(given)
        given_file.seek(0)
        child = subprocess.Popen(command, stdin=given_file, stdout=out, env={**os.environ, **(environment or {})})
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode:
            sys.exit(f"failed with exit status {child.returncode}: {' '.join(map(str, command))}")
        out.seek(0)
        unit = 1 if sys.platform == "darwin" else 1024  # of ru_maxrss, in bytes
        return json.load(out), usage.ru_maxrss * unit / 1e6


def their_onnxruntime():
    """The ONNX Runtime library inside the installed Python package."""
    package = Path(importlib.util.find_spec("onnxruntime").origin).parent
    return next(package.glob("capi/libonnxruntime.*"))


def run_ours(o):
    environment = {"SPEECH_BUNDLE": str(o.bundle)} if o.bundle else {}
    if "SPEECH_ONNXRUNTIME" not in os.environ:
        environment["SPEECH_ONNXRUNTIME"] = str(their_onnxruntime())
    return run([o.speech, "bench", "--threads", str(o.threads), "--runs", str(o.runs), "--json"], environment)


def run_theirs(o, voices, texts):
    job = {"model": str(o.model), "voices": str(voices), "voice": o.voice, "threads": o.threads}
    job |= {"runs": o.runs, "texts": texts}
    environment = {"OMP_NUM_THREADS": str(o.threads), "OPENBLAS_NUM_THREADS": str(o.threads)}
    return run([sys.executable, HERE / "kokoro_onnx_bench.py"], environment, json.dumps(job))


def write_voices(styles, voice, path):
    """The voices file that kokoro-onnx reads, with one voice in it."""
    vectors = np.fromfile(Path(styles) / f"{voice}.bin", "<f4").reshape(STYLE_SHAPE)
    np.savez(path, **{voice: vectors})


def summarise(rounds):
    """One row a text from [(ours, theirs), ...], where each is the parsed JSON of one process."""
    rows = []
    for i, text in enumerate(rounds[0][0]["texts"]):
        pairs = [(ours["texts"][i], theirs["texts"][i]) for ours, theirs in rounds]
        ratios = [theirs["rtf"] / ours["rtf"] for ours, theirs in pairs]
        row = {"name": text["name"], "characters": len(text["text"])}
        for side, who in enumerate(("ours", "theirs")):
            for key in ("audio_s", "wall_s", "rtf", "first_audio_ms"):
                row[f"{who}_{key}"] = statistics.median(pair[side][key] for pair in pairs)
        row["faster"], row["faster_min"], row["faster_max"] = statistics.median(ratios), min(ratios), max(ratios)
        rows.append(row)
    return rows


def cpu_name():
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        return next(line.split(":", 1)[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()


def table(report):
    lines = [
        f"{report['cpu']}, {report['threads']} thread(s), {report['rounds']} rounds; "
        + ", ".join(f"{name} {version}" for name, version in report["versions"].items()),
        "",
        "| text | characters | audio, s | | real-time factor | | faster | first audio, ms | |",
        "|---|---|---|---|---|---|---|---|---|",
        "| | | ours | theirs | ours | theirs | median (range) | ours | theirs |",
    ]
    for r in report["texts"]:
        lines.append(
            f"| {r['name']} | {r['characters']} | {r['ours_audio_s']:.2f} | {r['theirs_audio_s']:.2f} "
            f"| {r['ours_rtf']:.3f} | {r['theirs_rtf']:.3f} "
            f"| {r['faster']:.2f} ({r['faster_min']:.2f} to {r['faster_max']:.2f}) "
            f"| {r['ours_first_audio_ms']:.0f} | {r['theirs_first_audio_ms']:.0f} |"
        )
    lines += ["", "| | ours | theirs |", "|---|---|---|"]
    lines.append(f"| load, ms | {report['ours_load_ms']:.0f} | {report['theirs_load_ms']:.0f} |")
    lines.append(f"| peak memory, MB | {report['ours_peak_mb']:.0f} | {report['theirs_peak_mb']:.0f} |")
    return "\n".join(lines)


def main():
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument("--speech", required=True, help="the speech command-line program, built with --release")
    p.add_argument("--bundle", help="voice bundle directory (default: what speech finds by itself)")
    p.add_argument("--model", required=True, type=Path, help="the published int8 model.onnx")
    p.add_argument("--styles", required=True, help="directory of the published style vectors, NAME.bin")
    p.add_argument("--voice", default="af_heart", help="their voice (default: %(default)s, the timbre of ours)")
    p.add_argument("--threads", type=int, default=1)
    p.add_argument("--rounds", type=int, default=3, help="pairs of processes (default: %(default)s)")
    p.add_argument("--runs", type=int, default=3, help="times each process speaks each text (default: %(default)s)")
    p.add_argument("--json", type=Path, help="also write everything measured to this file")
    p.add_argument("--markdown", type=Path, help="also write the table to this file")
    o = p.parse_args()

    rounds, peaks, loads = [], [], []
    with tempfile.TemporaryDirectory() as folder:
        voices = Path(folder) / "voices.npz"
        write_voices(o.styles, o.voice, voices)
        for number in range(o.rounds):
            ours, our_peak = run_ours(o)
            texts = [{"name": t["name"], "text": t["text"]} for t in ours["texts"]]
            theirs, their_peak = run_theirs(o, voices, texts)
            rounds.append((ours, theirs))
            peaks.append((our_peak, their_peak))
            loads.append((ours["load_ms"], theirs["load_ms"]))
            print(f"round {number + 1} of {o.rounds} done", file=sys.stderr)

    report = {
        "cpu": cpu_name(),
        "machine": rounds[0][0].get("machine"),
        "threads": o.threads,
        "rounds": o.rounds,
        "versions": rounds[0][1]["versions"],
        "texts": summarise(rounds),
        "ours_load_ms": statistics.median(ours for ours, _ in loads),
        "theirs_load_ms": statistics.median(theirs for _, theirs in loads),
        "ours_peak_mb": statistics.median(ours for ours, _ in peaks),
        "theirs_peak_mb": statistics.median(theirs for _, theirs in peaks),
        "raw": [{"ours": ours, "theirs": theirs} for ours, theirs in rounds],
    }
    print(table(report))
    if o.json:
        o.json.write_text(json.dumps(report, indent=1, ensure_ascii=False) + "\n", "utf-8")
    if o.markdown:
        o.markdown.write_text(table(report) + "\n", "utf-8")


if __name__ == "__main__":
    main()
