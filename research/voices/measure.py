"""Measures recipes: speaks sentences with them and evaluates the recordings."""

from __future__ import annotations

import json
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass, replace
from functools import cache
from pathlib import Path

import librosa
import numpy as np

from . import hear, levels, transcripts
from .candidate import GAIN_DB, RATE, Studio, read
from .figures import TARGET_LUFS, Figures
from .opinion import Opinion
from .sentences import Sentence, sentences
from .speaker import SpeakerEncoder

_LISTENING_LUFS = -20.0
_PITCH_SENTENCES = 8


@dataclass(frozen=True)
class Inputs:
    """The paths of everything needed for measuring."""

    speech: Path
    bundle: Path
    downloads: Path
    whisper: Path
    encoder: Path
    work: Path


def measure_all(recipes: list[str], language: str, part: str, inputs: Inputs, workers: int) -> dict[str, Figures]:
    """Figures by recipe. Earlier measurements of the same build are taken from `inputs.work`."""
    missing = [recipe for recipe in dict.fromkeys(recipes) if not _results(recipe, language, part, inputs).exists()]
    with ProcessPoolExecutor(workers) as pool:
        jobs = [pool.submit(_measure_and_keep, recipe, language, part, inputs) for recipe in missing]
        for recipe, job in zip(missing, jobs, strict=True):
            figures = job.result()
            line = (
                f"{language} {part} {figures.mean:.2f} errors {figures.errors:.3f} {figures.pitch[1]:.0f} Hz  {recipe}"
            )
            print(line, flush=True)
    return {recipe: _kept(_results(recipe, language, part, inputs)) for recipe in recipes}


def _results(recipe: str, language: str, part: str, inputs: Inputs) -> Path:
    listened_for = [part, *(f"{sentence.text}\t{sentence.spoken}" for sentence in sentences(language, part))]
    return inputs.work / "figures" / f"{_studio(inputs).key(recipe, language, listened_for)}.json"


def _kept(path: Path) -> Figures:
    return Figures(**json.loads(path.read_text(encoding="utf-8"))["figures"])


def _measure_and_keep(recipe: str, language: str, part: str, inputs: Inputs) -> Figures:
    figures = _measure(recipe, language, part, inputs)
    path = _results(recipe, language, part, inputs)
    path.parent.mkdir(parents=True, exist_ok=True)
    entry = {"recipe": recipe, "language": language, "part": part, "figures": asdict(figures)}
    partial = path.with_suffix(".partial")
    partial.write_text(json.dumps(entry, ensure_ascii=False, indent=1), encoding="utf-8")
    partial.replace(path)
    return figures


def _measure(recipe: str, language: str, part: str, inputs: Inputs) -> Figures:
    spoken = sentences(language, part)
    paths = _studio(inputs).record(recipe, language, [sentence.text for sentence in spoken])
    whole = [read(path) for path in paths]
    figures = figures_of(whole, RATE, spoken, language, inputs, listens=part != "screen")
    return replace(figures, gain_db=round(figures.gain_db + GAIN_DB, 1))


def heard(recipe: str, language: str, texts: list[str], inputs: Inputs) -> list[str]:
    """Whisper's transcripts of each text spoken with a recipe, with numbers in words."""
    recordings = _studio(inputs).record(recipe, language, texts)
    return _transcribed([_resampled(read(path), RATE) for path in recordings], language, inputs)


def _transcribed(recordings: list[levels.Samples], language: str, inputs: Inputs) -> list[str]:
    listener = _listener(inputs.whisper)
    return transcripts.in_words(inputs.speech, [listener.transcribe(x, language) for x in recordings], language)


def figures_of(
    whole: list[levels.Samples], rate: int, spoken: list[Sentence], language: str, inputs: Inputs, listens: bool = True
) -> Figures:
    """The figures of recordings of the sentences, by any engine."""
    opinion, encoder = _opinion(), _encoder(inputs.encoder)
    trimmed = [samples[slice(*levels.speech_bounds(samples, rate))] for samples in whole]
    row = np.concatenate(trimmed)
    heard = [_at_level(samples, rate) for samples in trimmed]
    wrong, of, misheard = _misheard(heard, spoken, language, inputs) if listens else (0, 0, [])
    embeddings = np.mean([encoder.embed(samples) for samples in heard], axis=0)
    pitches = np.concatenate(
        [levels.pitch(samples, hear.SAMPLE_RATE) for samples in heard[:: len(heard) // _PITCH_SENTENCES]]
    )
    gain = round(TARGET_LUFS - levels.loudness(row, rate), 1)
    return Figures(
        mos=[round(opinion.distill_mos(samples, rate), 3) for samples in whole],
        dnsmos=round(float(np.mean([opinion.dnsmos(samples) for samples in heard])), 3) if listens else 0.0,
        wrong=wrong,
        of=of,
        misheard=misheard,
        pitch=[round(float(x), 1) for x in np.percentile(pitches, [10, 50, 90])],
        gain_db=gain,
        peak_dbfs=round(levels.peak(row) + gain, 1),
        rate=round(sum(len(sentence.spoken) for sentence in spoken) / (len(row) / rate), 2),
        embedding=[round(float(x), 5) for x in embeddings / np.linalg.norm(embeddings)],
    )


def _misheard(
    heard: list[levels.Samples], spoken: list[Sentence], language: str, inputs: Inputs
) -> tuple[int, int, list[list[str]]]:
    """Whisper's errors and their possible number, and each sentence with its transcript."""
    texts = _transcribed(heard, language, inputs)
    wrong = of = 0
    misheard = []
    for sentence, text in zip(spoken, texts, strict=True):
        errors, length = transcripts.errors(sentence.spoken, text, language)
        errors = min(errors, length)  # Whisper may repeat itself without end
        wrong, of = wrong + errors, of + length
        if errors:
            misheard.append([sentence.spoken, text])
    return wrong, of, misheard


def _resampled(samples: levels.Samples, rate: int) -> levels.Samples:
    return librosa.resample(samples, orig_sr=rate, target_sr=hear.SAMPLE_RATE).astype(np.float32)


def _at_level(samples: levels.Samples, rate: int) -> levels.Samples:
    """A recording at the common loudness, for Whisper and the encoder."""
    try:
        gain = 10 ** ((_LISTENING_LUFS - levels.loudness(samples, rate)) / 20)
    except ValueError:  # shorter than the 0.4 s that loudness is measured over
        gain = 1.0
    return np.clip(_resampled(samples * gain, rate), -1, 1)


@cache
def _studio(inputs: Inputs) -> Studio:
    return Studio(inputs.speech, inputs.bundle, inputs.downloads, inputs.work)


@cache
def _opinion() -> Opinion:
    return Opinion()


@cache
def _encoder(package: Path) -> SpeakerEncoder:
    return SpeakerEncoder(package)


@cache
def _listener(whisper: Path) -> hear.Listener:
    return hear.Listener(whisper)
