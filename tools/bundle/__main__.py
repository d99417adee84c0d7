"""The command line: `python -m bundle build ...`, run in (or with PYTHONPATH set to) the directory `tools`."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from .build import build
from .errors import BundleError


def main(arguments: list[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    try:
        build(options.downloads, options.out, options.model, options.check, lambda line: print(line, flush=True))
    except BundleError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bundle", description="Makes the libspeech voice bundle.")
    commands = parser.add_subparsers(required=True, metavar="command")
    command = commands.add_parser("build", help="make a bundle")
    command.add_argument("--downloads", type=Path, required=True, help="directory of the files named in sources.json")
    command.add_argument("--out", type=Path, required=True, help="the bundle directory to write")
    command.add_argument("--model", type=Path, help="another ONNX export of Kokoro v1.0 (fp32, fp16 or int8)")
    command.add_argument("--no-check", dest="check", action="store_false", help="skip the comparison with the export")
    return parser


if __name__ == "__main__":
    sys.exit(main())
