"""The command line: `python -m bundle build ...`, run in (or with PYTHONPATH set to) the directory `tools`."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from .build import build, write_float_model, write_moments, write_reference
from .compact import write_compact
from .errors import BundleError
from .subset import QUALITIES, write_subset


def main(arguments: list[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    try:
        options.run(options)
    except BundleError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


def _build(options: argparse.Namespace) -> None:
    build(
        options.downloads,
        options.out,
        _say,
        model=options.model,
        with_check=options.check,
    )


def _moments(options: argparse.Namespace) -> None:
    write_moments(options.downloads, _say)


def _reference(options: argparse.Namespace) -> None:
    write_reference(options.downloads, options.bundle, options.out)


def _float(options: argparse.Namespace) -> None:
    write_float_model(options.downloads, options.out)


def _compact(options: argparse.Namespace) -> None:
    write_compact(options.bundle, options.out)


def _subset(options: argparse.Namespace) -> None:
    write_subset(options.bundle, options.out, options.qualities)


def _say(line: str) -> None:
    print(line, flush=True)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bundle", description="Makes the libspeech voice bundle.")
    commands = parser.add_subparsers(required=True, metavar="command")
    command = commands.add_parser("build", help="make a bundle")
    command.set_defaults(run=_build)
    command.add_argument("--downloads", type=Path, required=True, help="directory of the files named in sources.json")
    command.add_argument("--out", type=Path, required=True, help="the bundle directory to write")
    command.add_argument("--model", type=Path, help="another ONNX export of Kokoro v1.0 (fp32, fp16 or int8)")
    command.add_argument("--no-check", dest="check", action="store_false", help="skip the comparison with the export")
    command = commands.add_parser("moments", help="measure the statistics of the voices again, in moments.safetensors")
    command.set_defaults(run=_moments)
    command.add_argument("--downloads", type=Path, required=True, help="directory of the files named in sources.json")
    command = commands.add_parser("reference", help="write tensors of the published model for tests of the library")
    command.set_defaults(run=_reference)
    command.add_argument("--downloads", type=Path, required=True, help="directory of the files named in sources.json")
    command.add_argument("--bundle", type=Path, required=True, help="the bundle directory with the voices")
    command.add_argument("--out", type=Path, required=True, help="the safetensors file to write")
    command = commands.add_parser(
        "float", help="write the published model in float32, from tokens to audio, to measure it"
    )
    command.set_defaults(run=_float)
    command.add_argument("--downloads", type=Path, required=True, help="directory of the files named in sources.json")
    command.add_argument("--out", type=Path, required=True, help="directory for model.onnx and vocabulary.json")
    command = commands.add_parser("compact", help="write a compact copy of a bundle")
    command.set_defaults(run=_compact)
    command.add_argument("--bundle", type=Path, required=True, help="the bundle directory to read")
    command.add_argument("--out", type=Path, required=True, help="the bundle directory to write")
    command = commands.add_parser("subset", help="write a copy of a bundle with some of its quality levels")
    command.set_defaults(run=_subset)
    command.add_argument("--bundle", type=Path, required=True, help="the bundle directory to read")
    command.add_argument("--out", type=Path, required=True, help="the bundle directory to write")
    command.add_argument("--qualities", nargs="+", choices=QUALITIES, required=True, help="the quality levels to keep")
    return parser


if __name__ == "__main__":
    sys.exit(main())
