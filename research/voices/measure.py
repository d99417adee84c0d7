"""Measures voice candidates: speaks fixed sentences and listens to them with programs.

  python research/voices/measure.py --model DIR --styles DIR --whisper DIR --work DIR [--language en-US]

reads the candidates of candidates_en.tsv (a name, and a recipe as kokoro.parse_recipe reads it) and the phonemes of
sentences_en.tsv, and writes WORK/results-en-US.json, which choose_en.py turns into recipes. What has been spoken and
transcribed once is kept in WORK and not done again, unless recipe, phonemes or the kind of model changed. README.md says
where each input comes from. A first look at many candidates takes less time: with --sets only the sentences of some sets
are spoken, and without --whisper nothing is transcribed; the results are in WORK/results-en-US-SETS.json.

For each candidate, over all sentences with the model's silence cut off at both ends:

  lufs       integrated loudness (ITU-R BS.1770, mono) of all sentences in a row, gain 0
  spread     standard deviation of the sentences' own loudness, in LU
  peaks      sample peak of each sentence in dBFS, gain 0
  errors     error rate by Whisper base, for each set of sentences: of words in English, of consonants in Hindi
  score      mean log probability, a token, that Whisper gives to the sentences as they are
  dnsmos     DNSMOS overall quality, mean over pieces of 10 s of all sentences in a row (no reference, rough)
  f0         median and 10th/90th percentile of the voiced frames, in Hz
  rate       phonemes a second
  embedding  mean speaker embedding (speaker.py); cohesion: mean similarity of single sentences to it

All but loudness and peaks are measured with every sentence at LISTEN_LUFS.
"""

import argparse
import csv
import hashlib
import json
from pathlib import Path

import librosa
import numpy as np
import pyloudnorm
import soundfile
from speechmos import dnsmos

import hear
import kokoro
import results
import speaker

HERE = Path(__file__).parent
LISTEN_LUFS = -20.0
F0_SENTENCES = 8
DNSMOS_PIECE = 10 * hear.SAMPLE_RATE  # just over the 9.01 s that DNSMOS looks at
SHOWN = ("errors", "score", "dnsmos", "f0", "rate", "lufs", "spread", "cohesion")
NOT_A_PHONEME = set(' ˈˌː.,!?;:—…"()“”')


def read_tsv(path):
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def speech_bounds(samples, rate=kokoro.SAMPLE_RATE, below_db=50, keep_s=0.03):
    """Where speech begins and ends: a little outside the frames that are not `below_db` under the loudest one."""
    size = rate // 100
    frames = samples[: len(samples) // size * size].reshape(-1, size)
    level = np.sqrt((frames**2).mean(axis=1))
    loud = np.flatnonzero(level > level.max() * 10 ** (-below_db / 20))
    keep = int(keep_s * rate)
    return max(0, loud[0] * size - keep), min(len(samples), (loud[-1] + 1) * size + keep)


def trim(samples):
    """Without the silence at both ends."""
    first, last = speech_bounds(samples)
    return samples[first:last]


def loudness(samples):
    meter = pyloudnorm.Meter(kokoro.SAMPLE_RATE)
    return float(meter.integrated_loudness(samples.astype(np.float64)))


def pitch(recordings):
    voiced = []
    for samples in recordings[:F0_SENTENCES]:
        f0, flag, _ = librosa.pyin(samples, fmin=50, fmax=450, sr=hear.SAMPLE_RATE, frame_length=1024, hop_length=320)
        voiced.append(f0[flag])
    return [round(float(x), 1) for x in np.percentile(np.concatenate(voiced), [10, 50, 90])]


def quality(recordings):
    row = np.concatenate(recordings)
    pieces = [row[start : start + DNSMOS_PIECE] for start in range(0, len(row) - DNSMOS_PIECE + 1, DNSMOS_PIECE)]
    return float(np.mean([dnsmos.run(piece, hear.SAMPLE_RATE)["ovrl_mos"] for piece in pieces]))


class Kept:
    """The recordings of one candidate and what was heard in them, in files, so that no sentence is done twice."""

    def __init__(self, folder, recipe, model):
        folder.mkdir(parents=True, exist_ok=True)
        self.folder, self.recipe, self.model = folder, recipe, model

    def recording(self, phonemes, speak):
        path = self._path(phonemes, "npy")
        if not path.exists():
            np.save(path, speak(phonemes))
        return np.load(path)

    def heard(self, sentence, samples, listener, language):
        """(what was transcribed, the score of the sentence's own text)"""
        path = self._path(sentence["phonemes"], "json")
        if not path.exists():
            heard = listener.transcribe(samples, language), listener.score(sentence["text"], language)
            path.write_text(json.dumps(heard), "utf-8")
        return json.loads(path.read_text("utf-8"))

    def _path(self, phonemes, kind):
        key = hashlib.sha256(json.dumps([self.recipe, self.model, phonemes]).encode()).hexdigest()[:16]
        return self.folder / f"{key}.{kind}"


def at_level(samples):
    """A recording at LISTEN_LUFS, as the programs that listen take it."""
    gain = 10 ** ((LISTEN_LUFS - loudness(samples)) / 20)
    heard = librosa.resample(samples * gain, orig_sr=kokoro.SAMPLE_RATE, target_sr=hear.SAMPLE_RATE)
    return np.clip(heard, -1, 1).astype(np.float32)


def intelligibility(recordings, sentences, kept, listener, language):
    misheard, counts, scores = [], {}, []
    for samples, sentence in zip(recordings, sentences, strict=True):
        text, score = kept.heard(sentence, samples, listener, language)
        scores.append(score)
        wrong, length = hear.errors(sentence["text"], text, language)
        wrong = min(wrong, length)  # Whisper may repeat itself without end
        for name in (sentence["set"], "all"):
            before = counts.get(name, (0, 0))
            counts[name] = (before[0] + wrong, before[1] + length)
        if wrong:
            misheard.append([sentence["text"], text, wrong])
    errors = {name: round(wrong / length, 4) for name, (wrong, length) in counts.items()}
    return {"errors": errors, "score": round(float(np.mean(scores)), 3), "misheard": misheard}


def measure(recordings, sentences, encoder):
    """Every figure for one candidate but the errors; `recordings` are trimmed, at 24 kHz, gain 0."""
    heard = [at_level(x) for x in recordings]
    each = np.stack([encoder.embed(x) for x in heard])
    mean = each.mean(axis=0) / np.linalg.norm(each.mean(axis=0))
    phonemes = sum(len([c for c in s["phonemes"] if c not in NOT_A_PHONEME]) for s in sentences)
    seconds = sum(map(len, recordings)) / kokoro.SAMPLE_RATE
    return {
        "lufs": round(loudness(np.concatenate(recordings)), 2),
        "spread": round(float(np.std([loudness(x) for x in recordings])), 2),
        "peaks": [round(float(20 * np.log10(np.abs(x).max())), 2) for x in recordings],
        "dnsmos": round(quality(heard), 3),
        "f0": pitch(heard),
        "rate": round(phonemes / seconds, 2),
        "seconds": round(seconds, 2),
        "cohesion": round(float((each @ mean).mean()), 3),
        "embedding": [round(float(x), 5) for x in mean],
    }


def save(path, name, result):
    """Adds one result to the file of results, which another process may be writing to as well."""
    before = json.loads(path.read_text("utf-8")) if path.exists() else {}
    path.write_text(json.dumps({**before, name: result}, ensure_ascii=False, indent=1), "utf-8")


def main():
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument("--model", help="what `python -m bundle float` wrote, or:")
    p.add_argument("--published", nargs=2, metavar=("GRAPH", "VOCAB"), help="the published model.onnx and vocab.json")
    p.add_argument("--styles", required=True, help="directory of the published style vectors, NAME.bin")
    p.add_argument(
        "--whisper", help="directory of Whisper base in CTranslate2 format; without it nothing is transcribed"
    )
    p.add_argument("--work", required=True, type=Path, help="directory for recordings and results")
    p.add_argument("--language", default="en-US", choices=["en-US", "hi-IN"])
    p.add_argument("--only", nargs="*", help="measure these candidates only")
    p.add_argument("--sets", default="", help="speak the sentences of these sets only, such as ab")
    o = p.parse_args()
    if bool(o.model) == bool(o.published):
        p.error("give either --model or --published")

    short = o.language[:2]
    sentences = [s for s in read_tsv(HERE / f"sentences_{short}.tsv") if s["set"] in (o.sets or s["set"])]
    candidates = {c["name"]: c for c in read_tsv(HERE / f"candidates_{short}.tsv")}
    acoustic = kokoro.Acoustic.from_float_model(o.model) if o.model else kokoro.Acoustic.from_published(*o.published)
    styles = kokoro.StyleVectors(o.styles)
    listener = hear.Listener(o.whisper) if o.whisper else None
    encoder = speaker.SpeakerEncoder()
    model = "bundle" if o.model else "published"
    for name in o.only or candidates:
        candidate = candidates[name]
        recipe = kokoro.parse_recipe(candidate["recipe"])
        table = styles.table(recipe)
        kept = Kept(o.work / "kept", candidate["recipe"], model)
        recordings = [
            kept.recording(s["phonemes"], lambda phonemes, table=table: trim(acoustic.speak(phonemes, table)))
            for s in sentences
        ]
        result = measure(recordings, sentences, encoder)
        if listener:
            result |= intelligibility([at_level(x) for x in recordings], sentences, kept, listener, o.language)
        save(results.path(o.work, o.language, o.sets), name, {**candidate, "model": model, "recipe": recipe, **result})
        soundfile.write(
            o.work / f"{o.language}-{name}.wav", np.concatenate(recordings), kokoro.SAMPLE_RATE, subtype="FLOAT"
        )
        shown = {k: v for k, v in result.items() if k in SHOWN}
        print(name, json.dumps(shown), f"peak {max(result['peaks'])}", flush=True)


if __name__ == "__main__":
    main()
