"""The command line: `cargo xtask voices COMMAND`, which runs `python -m voices COMMAND` in its own environment."""

from __future__ import annotations

import argparse
import os
import sys
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path

from bundle.compact import write_compact
from bundle.sources import Sources
from bundle.voices import read_recipes

from . import compact, consonants, hear, paragraphs, report, rounding, samples, search
from .candidate import Studio
from .measure import Inputs, heard, measure_all
from .recipes import written
from .search import Chosen

_HERE = Path(__file__).parent
_RECIPES = _HERE.parents[1] / "tools" / "bundle" / "recipes.json"
_LANGUAGES = ("en-US", "hi-IN")


def main(arguments: list[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    encoder = options.models / "Resemblyzer-0.1.4-py3-none-any.whl"
    inputs = Inputs(options.speech, options.bundle, options.downloads, hear.unpacked(options.models, options.work), encoder, options.work)
    options.run(options, inputs)
    return 0


def _choose(options: argparse.Namespace, inputs: Inputs) -> None:
    """Searches, and writes the recipes and the tables of the candidates."""
    styles = Sources.verified(inputs.downloads).style_names()
    measure = partial(measure_all, inputs=inputs, workers=options.workers)
    english, in_english = search.search_english(styles, measure)
    hindi, in_hindi = search.search_hindi(english, styles, measure)
    report.save_recipes(_RECIPES, {"en-US": english, "hi-IN": hindi})
    tables = {
        "en": report.tried_in_english(english, in_english, measure(styles, "en-US", "screen")),
        "hi": report.tried_in_hindi(hindi, english, in_hindi),
    }
    for language, table in tables.items():
        (_HERE / f"table_{language}.md").write_text(table, encoding="utf-8")


def _judge(options: argparse.Namespace, inputs: Inputs) -> None:
    """Measures the committed recipes on sentences that nothing was chosen on, and writes the table."""
    chosen: dict[str, dict[str, Chosen]] = {}
    for language in _LANGUAGES:
        recipes = {voice["id"]: written(voice["recipes"][language]) for voice in read_recipes()}
        figures = measure_all(list(recipes.values()), language, options.part, inputs, options.workers)
        chosen[language] = {voice: Chosen(recipe, figures[recipe]) for voice, recipe in recipes.items()}
    table = report.judged(chosen, options.part)
    print(table)
    if options.part == "kept":
        (_HERE / "table_kept.md").write_text(table, encoding="utf-8")


def _rounding(options: argparse.Namespace, inputs: Inputs) -> None:
    """Measures the cost of rounding the weights, and writes the table."""
    figures = {}
    recipes = [written(voice["recipes"]["en-US"]) for voice in read_recipes()]
    for name, noisy in rounding.VARIANTS.items():
        bundle = inputs.bundle
        if noisy:
            bundle = inputs.work / "rounded" / name.replace(" ", "-") / inputs.bundle.name
            if not (bundle / "bundle.json").exists():
                rounding.write_bundle(inputs.bundle, bundle, noisy)
        with_noise = replace(inputs, bundle=bundle)
        figures[name] = measure_all(recipes, "en-US", "choice", with_noise, options.workers)
    table = report.rounded(figures)
    print(table)
    (_HERE / "table_rounding.md").write_text(table, encoding="utf-8")


def _compact(options: argparse.Namespace, inputs: Inputs) -> None:
    """Measures how coarsely the weights can be stored, and writes the table."""
    recipes = {
        language: [written(voice["recipes"][language]) for voice in read_recipes() if voice["id"] in compact.SPEAKERS]
        for language in _LANGUAGES
    }

    def measured(steps: compact.Steps, part: str) -> compact.Measured:
        bundle = inputs.work / "compact" / compact.key(steps) / inputs.bundle.name
        if not (bundle / "bundle.json").exists():
            write_compact(inputs.bundle, bundle, steps)
        coarse = replace(inputs, bundle=bundle)
        figures = {
            (language, recipe): one
            for language in _LANGUAGES
            for recipe, one in measure_all(recipes[language], language, part, coarse, options.workers).items()
        }
        return compact.Measured(compact.packed_size(bundle), figures)

    whole = {name: measured(steps, "kept") for name, steps in compact.VARIANTS.items()}
    alone = {name: measured(steps, "screen") for name, steps in compact.ALONE.items()}
    table = report.compact(alone, whole)
    print(table)
    (_HERE / "table_compact.md").write_text(table, encoding="utf-8")


def _paragraphs(options: argparse.Namespace, inputs: Inputs) -> None:
    """Measures paragraphs with different pauses between sentences, and writes the table."""
    studio = Studio(inputs.speech, inputs.bundle, inputs.downloads, inputs.work)
    sources = Sources.verified(inputs.downloads)
    voices = {voice["id"]: voice["recipes"] for voice in read_recipes()}
    measured = {}
    with ProcessPoolExecutor(options.workers) as pool:
        for language in _LANGUAGES:
            for voice in ("aria", "leo"):
                recipe = written(voices[voice][language])
                job = pool.submit(paragraphs.measure, recipe, language, studio, inputs.speech, sources, options.model)
                measured[language, voice] = job
    table = paragraphs.table({key: job.result() for key, job in measured.items()})
    print(table)
    (_HERE / "table_paragraphs.md").write_text(table, encoding="utf-8")


def _consonants(options: argparse.Namespace, inputs: Inputs) -> None:
    """Measures how every Hindi consonant is recognized, and writes the table of confusions."""
    recipes = {voice["id"]: written(voice["recipes"][consonants.LANGUAGE]) for voice in read_recipes()}
    texts = consonants.share(list(recipes))
    with ProcessPoolExecutor(options.workers) as pool:
        jobs = {
            voice: pool.submit(heard, recipe, consonants.LANGUAGE, texts[voice], inputs)
            for voice, recipe in recipes.items()
        }
    confusions = {voice: consonants.Confusions() for voice in recipes}
    for voice, job in jobs.items():
        for meant, transcribed in zip(texts[voice], job.result(), strict=True):
            confusions[voice].add(meant, transcribed)
    table = consonants.table(confusions)
    print(table)
    (_HERE / "table_consonants_hi.md").write_text(table, encoding="utf-8")


def _samples(options: argparse.Namespace, inputs: Inputs) -> None:
    """Speaks a text in every voice in both languages, as Opus in Ogg."""
    samples.write(inputs.speech, inputs.bundle, options.out)


def _parser() -> argparse.ArgumentParser:
    p = argparse.ArgumentParser(prog="voices", description=__doc__.splitlines()[0])
    p.add_argument("--speech", type=Path, required=True, help="the program `speech`")
    p.add_argument("--bundle", type=Path, required=True, help="the voice bundle")
    p.add_argument("--downloads", type=Path, required=True, help="the source files of the bundle")
    p.add_argument("--models", type=Path, required=True, help="the packages of the listening models")
    p.add_argument("--work", type=Path, required=True, help="directory for recordings and figures")
    p.add_argument("--workers", type=int, default=os.cpu_count(), help="number of measuring processes")
    commands = p.add_subparsers(required=True)
    choose = commands.add_parser("choose", help=_choose.__doc__)
    choose.set_defaults(run=_choose)
    judge = commands.add_parser("judge", help=_judge.__doc__)
    judge.add_argument("--part", choices=("kept", "reserve", "choice", "screen"), default="kept", help="the sentences")
    judge.set_defaults(run=_judge)
    of_weights = commands.add_parser("rounding", help=_rounding.__doc__)
    of_weights.set_defaults(run=_rounding)
    of_compact = commands.add_parser("compact", help=_compact.__doc__)
    of_compact.set_defaults(run=_compact)
    of_paragraphs = commands.add_parser("paragraphs", help=_paragraphs.__doc__)
    of_paragraphs.set_defaults(run=_paragraphs)
    of_paragraphs.add_argument("--model", type=Path, required=True, help="the output of `python -m bundle float`")
    of_consonants = commands.add_parser("consonants", help=_consonants.__doc__)
    of_consonants.set_defaults(run=_consonants)
    of_all = commands.add_parser("samples", help=_samples.__doc__)
    of_all.add_argument("--out", type=Path, required=True, help="directory for the files")
    of_all.set_defaults(run=_samples)
    return p


if __name__ == "__main__":
    sys.exit(main())
