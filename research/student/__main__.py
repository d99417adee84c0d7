"""The command line: `cargo xtask student ...`, which runs `python -m student ...` in its own environment."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import torch

from . import export, model, prosody, speech, train

# The steps of all runs together.
_STEPS = 40_000


def main(arguments: list[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    torch.set_num_threads(options.threads)
    options.run(options)
    return 0


def _train(options: argparse.Namespace) -> None:
    name = f"{options.part}.safetensors"
    state = options.work / name
    folders = (options.work, Path(__file__).parent)
    start = next(folder / name for folder in folders if (folder / name).exists())
    begun = train.State.read(start)
    print(f"from {start}, after {begun.steps} steps", file=sys.stderr)
    teacher = speech.Teacher(options.teacher, options.bundle, options.work / "speech")
    if options.part == "prosody":
        prosody.train(begun, teacher, options.steps, options.minutes, options.size, state)
        return
    recipe = train.Recipe(
        options.steps, options.minutes, options.size, options.device, options.critics, options.workers
    )
    train.train(begun, teacher, recipe, state)


def _export(options: argparse.Namespace) -> None:
    if options.reference:
        export.write_references(options.reference)
        return
    network = model.Prosody() if options.part == "prosody" else model.Decoder()
    export.write(train.load(network, train.State.read(options.state).weights), options.out)


def _judge(options: argparse.Namespace) -> None:
    # Load the listening models only here.
    from voices.hear import unpacked
    from voices.measure import Inputs

    from .judge import judge

    encoder = options.downloads / "Resemblyzer-0.1.4-py3-none-any.whl"
    whisper = unpacked(options.downloads, options.work)
    inputs = Inputs(options.speech, options.bundle, options.downloads, whisper, encoder, options.work)
    teacher = speech.Teacher(options.teacher, options.bundle, options.work / "speech")
    decoder = options.work / "small_decoder.safetensors"
    export.write(train.decoder(train.State.read(options.work / "decoder.safetensors").weights), decoder)
    print(judge(decoder, teacher, inputs, tuple(options.parts), options.workers))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="cargo xtask student", description=__doc__)
    parser.add_argument("--teacher", type=Path, required=True, help="the program speech-teacher")
    parser.add_argument("--bundle", type=Path, required=True, help="the voice bundle")
    parser.add_argument("--work", type=Path, required=True, help="directory for speech and weights")
    parser.add_argument("--threads", type=int, default=1)
    commands = parser.add_subparsers(required=True, metavar="command")
    command = commands.add_parser("train", help="trains a network, and continues an interrupted training")
    command.set_defaults(run=_train)
    command.add_argument("--part", choices=("decoder", "prosody"), default="decoder", help="which network")
    command.add_argument("--steps", type=int, default=_STEPS, help="steps of all runs, over which the rate falls")
    command.add_argument("--minutes", type=float, default=60, help="the duration of this run")
    command.add_argument("--size", type=int, default=10, help="the batch size: pieces of 1 s, or utterances")
    command.add_argument("--device", default="cpu", help="the device, such as cuda")
    command.add_argument("--critics", type=int, default=0, help="channels of the critics; 0 to train without them")
    command.add_argument(
        "--workers", type=int, default=0, help="teacher processes that speak in advance; 0 to speak on demand"
    )
    command = commands.add_parser("export", help="writes a network in the format of the library")
    command.set_defaults(run=_export)
    command.add_argument("--part", choices=("decoder", "prosody"), default="decoder", help="which network")
    command.add_argument("--state", type=Path, help="the training checkpoint")
    command.add_argument("--out", type=Path, help="the file to write")
    command.add_argument("--reference", type=Path, help="write the networks of the library's tests to this folder instead")
    command = commands.add_parser(
        "judge", help="compares the student with its teacher on sentences not used for any choice"
    )
    command.set_defaults(run=_judge)
    command.add_argument("--speech", type=Path, required=True, help="the program speech")
    command.add_argument("--downloads", type=Path, required=True, help="the packages of the listening models")
    command.add_argument("--workers", type=int, default=2, help="processes that run the listening models")
    command.add_argument("--parts", nargs="+", default=["kept", "reserve"], help="the parts of the sentences in voices")
    return parser


if __name__ == "__main__":
    sys.exit(main())
