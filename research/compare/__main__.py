"""The command line: `python -m compare run ...`, with PYTHONPATH set to the directories `tools` and `research`."""

from __future__ import annotations

import argparse
import json
import shutil
import sys
from pathlib import Path
from typing import Any

from .configurations import BASELINE, CONFIGURATIONS
from .errors import CompareError

RECORDINGS = "recordings"
"""The subdirectory of the result's directory."""


def main(arguments: list[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    try:
        options.command(options)
    except CompareError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


def _run(options: argparse.Namespace) -> None:
    # Import heavy modules only where needed: `draw` works without the other engines.
    from .inputs import prepare
    from .run import Comparison, Settings

    chosen = [c for c in CONFIGURATIONS if options.only is None or c.name in options.only or c.name == BASELINE]
    settings = Settings(options.threads, options.sessions, options.rounds, options.runs, chosen)
    _say("making the other engines' files")
    inputs = prepare(options.work, options.downloads, options.speech, options.kokoro_pi)
    comparison = Comparison(options.speech, inputs, settings, _say)
    for index in range(settings.rounds):
        comparison.round(index)
        # Written after each round, so that an interrupted run keeps its complete rounds.
        _write(options.out, comparison.result())
    if options.record:
        shutil.rmtree(options.out / RECORDINGS, ignore_errors=True)
        comparison.record(options.out / RECORDINGS)


def _browser(options: argparse.Namespace) -> None:
    from .browser import prepare

    prepare(options.out, options.downloads)


def _judge(options: argparse.Namespace) -> None:
    from .quality import judge

    _write(options.out, {**_read(options.out), "quality": judge(options.out / RECORDINGS)})


def _draw(options: argparse.Namespace) -> None:
    from .plot import draw
    from .table import markdown

    result = _read(options.out)
    tables = markdown(result)
    (options.out / "compare.md").write_text(tables, encoding="utf-8")
    if "quality" in result:
        draw(result, [options.out / "compare.png", options.out / "compare.svg"])
    else:
        _say("no plot: the quality was not judged")
    print(tables)
    _say(f"the result is in {options.out}")


def _read(out: Path) -> dict[str, Any]:
    return json.loads((out / "compare.json").read_text(encoding="utf-8"))


def _write(out: Path, result: dict[str, Any]) -> None:
    out.mkdir(parents=True, exist_ok=True)
    text = json.dumps(result, indent=1, ensure_ascii=False)
    (out / "compare.json").write_text(f"{text}\n", encoding="utf-8")


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def _numbers(text: str) -> list[int]:
    numbers = [int(part) for part in text.split(",")]
    if min(numbers) < 1:
        raise ValueError
    return numbers


def _names(text: str) -> list[str]:
    names = text.split(",")
    if unknown := set(names) - {c.name for c in CONFIGURATIONS}:
        raise argparse.ArgumentTypeError(f"there is no {', '.join(sorted(unknown))}")
    return names


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m compare", description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(required=True, metavar="command")
    run = commands.add_parser("run", help="measure")
    run.add_argument("--speech", type=Path, required=True, help="the program, built with --release")
    run.add_argument("--downloads", type=Path, required=True, help="directory of the files of bundle/sources.json")
    run.add_argument("--work", type=Path, required=True, help="directory for the other engines' files")
    run.add_argument("--kokoro-pi", type=Path, metavar="PYTHON", help="the Python of the environment with kokoro-pi")
    run.add_argument("--threads", type=_numbers, default=[1, 2], help="numbers of threads (default: 1,2)")
    run.add_argument(
        "--sessions", type=_numbers, default=[1, 2, 4], help="numbers of concurrent sessions (default: 1,2,4)"
    )
    run.add_argument("--rounds", type=int, default=3, help="processes of each kind (default: %(default)s)")
    run.add_argument("--runs", type=int, default=2, help="repetitions of each text per process (default: %(default)s)")
    names = ", ".join(c.name for c in CONFIGURATIONS)
    run.add_argument("--only", type=_names, help=f"some of {names}; {BASELINE} is always run")
    run.add_argument("--record", action="store_true", help="after the last round, record the audio of each engine")
    run.set_defaults(command=_run)
    browser = commands.add_parser("browser", help="write the files for kokoro-js in a browser")
    browser.add_argument("--downloads", type=Path, required=True, help="directory of the files of bundle/sources.json")
    browser.add_argument("--out", type=Path, required=True, help="directory for the files")
    browser.set_defaults(command=_browser)
    judge = commands.add_parser(
        "judge", help="predict listening scores of the recordings (in the environment of voices)"
    )
    judge.set_defaults(command=_judge)
    draw = commands.add_parser("draw", help="write the table and the plot of an earlier run again")
    draw.set_defaults(command=_draw)
    for command in (run, judge, draw):
        command.add_argument("--out", type=Path, required=True, help="directory of compare.json, .md, .png and .svg")
    return parser


if __name__ == "__main__":
    sys.exit(main())
