"""The command line: `python -m g2p train ...` and `python -m g2p export ...`, run in the directory `research`."""

import argparse
import sys
from pathlib import Path

import jax

from . import align, checkpoint, lexicon, report, split, train, weights
from .errors import UserError
from .model import Shape
from .ngrams import Ngrams


def main() -> int:
    # The fastest generator; the default one takes a quarter of a step's time.
    jax.config.update("jax_default_prng_impl", "unsafe_rbg")
    options = parser().parse_args()
    try:
        options.run(options)
    except UserError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


def parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m g2p", description=__doc__)
    commands = parser.add_subparsers(required=True, metavar="command")
    command = commands.add_parser("train", help="train the network; a checkpoint after each epoch")
    command.set_defaults(run=run_train)
    command.add_argument("--downloads", type=Path, required=True, help=f"directory of {lexicon.WHEEL}")
    command.add_argument("--checkpoint", type=Path, required=True, help="the checkpoint to write, an .npz file")
    command.add_argument("--start", type=Path, help="the checkpoint to continue from")
    command.add_argument("--extra", type=Path, action="append", default=[], help="more words: word, tab, phonemes")
    command.add_argument("--minutes", type=float, default=60)
    command.add_argument("--rate", type=float, default=2e-3, help="the highest learning rate")
    command.add_argument("--dropout", type=float, default=0.1)
    command.add_argument("--seed", type=int, default=1)
    command = commands.add_parser("average", help="write the mean of successive checkpoints")
    command.set_defaults(run=run_average)
    command.add_argument("checkpoints", type=Path, nargs="+")
    command.add_argument("--out", type=Path, required=True, help="the checkpoint to write")
    command = commands.add_parser("export", help="write the weights and the held-out words; print the error rates")
    command.set_defaults(run=run_export)
    command.add_argument("--downloads", type=Path, required=True, help=f"directory of {lexicon.WHEEL}")
    command.add_argument("--checkpoint", type=Path, required=True)
    command.add_argument("--out", type=Path, required=True, help="the weights file, core/text/src/languages/en_us/data/g2p.bin")
    command.add_argument("--misses", action="store_true", help="print every word with a wrong reading")
    return parser


def parts(downloads: Path, extras: list[Path] = ()) -> split.Split:
    gold, silver = lexicon.misaki(downloads)
    more = [entry for path in extras for entry in lexicon.extra(path)]
    return split.split(gold, silver + more)


def aligned(words: split.Split) -> tuple[list, list]:
    """Each pronunciation of each training word, and the chunks of its letters."""
    pairs = [(entry, phonemes) for entry in words.training for phonemes in entry.phonemes]
    return pairs, align.align([(entry.letters, phonemes) for entry, phonemes in pairs])


def run_train(options: argparse.Namespace):
    words = parts(options.downloads, options.extra)
    pairs, alignments = aligned(words)
    start = checkpoint.load(options.start) if options.start else None
    data = train.Data(pairs, alignments, start and start.labels)
    shape = start.shape if start else Shape(len(data.labels))

    def save(parameters):
        checkpoint.save(options.checkpoint, checkpoint.Checkpoint(shape, data.labels, parameters))

    recipe = train.Recipe(options.minutes, options.rate, options.dropout, options.seed)
    train.train(data, shape, start and start.parameters, words.validation, recipe, save)


def run_average(options: argparse.Namespace):
    checkpoint.save(options.out, checkpoint.average([checkpoint.load(path) for path in options.checkpoints]))


def run_export(options: argparse.Namespace):
    words = parts(options.downloads)
    found = checkpoint.load(options.checkpoint)
    pairs, alignments = aligned(words)
    table = Ngrams.of([entry for entry, _ in pairs], alignments, found.labels)
    weights.write(options.out, found.parameters, found.shape, found.labels, table)
    print(f"{options.out}: {options.out.stat().st_size} bytes")
    report.report(words, found, table, options.misses)


if __name__ == "__main__":
    sys.exit(main())
