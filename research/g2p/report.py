"""Writes the held-out words, and reports the error rates of the network as quantized for the library."""

from pathlib import Path

from . import train, weights
from .checkpoint import Checkpoint
from .decode import Decoder
from .lexicon import Entry
from .ngrams import Ngrams
from .score import Score, scores
from .split import Split, stem

HERE = Path(__file__).parent
# Every n-th held-out word, with the network's output, is the test that Rust and Python agree.
REFERENCE_STEP = 4


def report(words: Split, found: Checkpoint, ngrams: Ngrams, misses: bool):
    parameters = weights.rounded(found.parameters)
    decoder = Decoder(found.labels, ngrams)
    reference = []
    for name, entries in ("heldout", words.words), ("heldout_names", words.names), ("validation", words.validation):
        read = train.predict(parameters, found.shape, entries)
        rows = [(e.word, decoder.phonemes(e.letters, scores_), e.phonemes) for e, scores_ in zip(entries, read)]
        segments, stressed = scores(rows)
        print(f"{name}, {len(rows)} words: segments {segments}; with stress {stressed}")
        if misses:
            print_misses(segments)
        if name != "validation":
            write_words(HERE / f"{name}.tsv", entries)
            reference += rows
    far = rows_far_from(words, reference)
    print(f"words whose stem is in no word of training, {len(far)} words: segments {scores(far)[0]}")
    lines = [f"{word}\t{phonemes}\n" for word, phonemes, _ in reference[::REFERENCE_STEP]]
    (HERE / "reference.tsv").write_text("".join(lines), encoding="utf-8")


def print_misses(score: Score):
    for word, phonemes, reference in score.misses:
        print(f"  {word}\t{phonemes}\t{reference}")


def write_words(path: Path, entries: list[Entry]):
    lines = [f"{entry.word}\t{' '.join(entry.phonemes)}\n" for entry in entries]
    path.write_text("".join(lines), encoding="utf-8")


def rows_far_from(words: Split, rows: list) -> list:
    """The lower-case words with no stem inside a training word: "gritted" has "ungritted" near it."""
    text = "\n".join(entry.letters for entry in words.training)
    return [row for row in rows if row[0].islower() and stem(row[0]) not in text]
