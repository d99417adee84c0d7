"""Measures voice candidates: speaks fixed sentences and listens to them with programs.

  python tools/voices/measure.py --bundle DIR --styles DIR --whisper DIR --work DIR [--language en-US]

reads the candidates of candidates_en.tsv (a name, and a recipe as kokoro.parse_recipe reads it) and the phonemes of
sentences_en.tsv, and writes WORK/results-en-US.json, which choose.py turns into recipes. What has been measured once
is kept in WORK and not measured again, unless recipe, sentences or the kind of model changed. README.md says where each input comes from.

For each candidate, over all sentences with the model's silence cut off at both ends:

  lufs       integrated loudness (ITU-R BS.1770, mono) of all sentences in a row, gain 0
  spread     standard deviation of the sentences' own loudness, in LU
  peaks      sample peak of each sentence in dBFS, gain 0
  wer        word error rate by Whisper base, for each set of sentences (English only)
  dnsmos     DNSMOS overall quality, mean (no reference, rough)
  f0         median and 10th/90th percentile of the voiced frames, in Hz
  rate       phonemes a second
  embedding  mean speaker embedding (speaker.py); cohesion: mean similarity of single sentences to it

Word errors and DNSMOS are measured with every candidate at LISTEN_LUFS.
"""

import argparse
import csv
import hashlib
import json
import re
from pathlib import Path

import librosa
import numpy as np
import pyloudnorm
import soundfile
from faster_whisper import WhisperModel
from speechmos import dnsmos

import kokoro
import speaker

HERE = Path(__file__).parent
LISTEN_LUFS = -20.0
LISTEN_RATE = 16_000
F0_SENTENCES = 8
SPELT = {"20": "twenty"}  # Whisper writes numbers as digits
NOT_A_PHONEME = set(' ˈˌː.,!?;:—…"()“”')


def read_tsv(path):
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def trim(samples, rate=kokoro.SAMPLE_RATE, below_db=50, keep_s=0.03):
    """Without the leading and trailing frames that are `below_db` under the loudest one."""
    size = rate // 100
    frames = samples[: len(samples) // size * size].reshape(-1, size)
    level = np.sqrt((frames**2).mean(axis=1))
    loud = np.flatnonzero(level > level.max() * 10 ** (-below_db / 20))
    keep = int(keep_s * rate)
    return samples[max(0, loud[0] * size - keep) : (loud[-1] + 1) * size + keep]


def loudness(samples):
    meter = pyloudnorm.Meter(kokoro.SAMPLE_RATE)
    return float(meter.integrated_loudness(samples.astype(np.float64)))


def words(text):
    found = re.sub(r"[^a-z0-9'\s]", " ", text.lower()).split()
    return [SPELT.get(word, word) for word in found]


def edit_distance(a, b):
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        diagonal, row[0] = row[0], i
        for j, y in enumerate(b, 1):
            diagonal, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, diagonal + (x != y))
    return row[-1]


class Listener:
    def __init__(self, whisper):
        self.whisper = WhisperModel(str(whisper), device="cpu", compute_type="int8", cpu_threads=1)

    def transcribe(self, samples):
        segments, _ = self.whisper.transcribe(
            samples, language="en", beam_size=5, temperature=0.0, condition_on_previous_text=False
        )
        return " ".join(segment.text.strip() for segment in segments)


def pitch(recordings):
    voiced = []
    for samples in recordings[:F0_SENTENCES]:
        f0, flag, _ = librosa.pyin(samples, fmin=50, fmax=450, sr=LISTEN_RATE, frame_length=1024, hop_length=320)
        voiced.append(f0[flag])
    return [round(float(x), 1) for x in np.percentile(np.concatenate(voiced), [10, 50, 90])]


def measure(recordings, sentences, listener, encoder, language):
    """Every figure for one candidate; `recordings` are trimmed, at 24 kHz, gain 0."""
    level = loudness(np.concatenate(recordings))
    gain = 10 ** ((LISTEN_LUFS - level) / 20)
    heard = [librosa.resample(x * gain, orig_sr=kokoro.SAMPLE_RATE, target_sr=LISTEN_RATE) for x in recordings]
    heard = [np.clip(x, -1, 1).astype(np.float32) for x in heard]

    result = {
        "lufs": round(level, 2),
        "spread": round(float(np.std([loudness(x) for x in recordings])), 2),
        "peaks": [round(float(20 * np.log10(np.abs(x).max())), 2) for x in recordings],
    }
    if language == "en-US":
        texts = [listener.transcribe(x) for x in heard]
        result["misheard"] = []
        counts = {}
        for sentence, text in zip(sentences, texts, strict=True):
            wrong = edit_distance(words(sentence["text"]), words(text))
            count = counts.setdefault(sentence["set"], [0, 0])
            count[0] += wrong
            count[1] += len(words(sentence["text"]))
            if wrong:
                result["misheard"].append([sentence["text"], text, wrong])
        result["wer"] = {name: round(wrong / total, 4) for name, (wrong, total) in counts.items()}
        result["wer"]["all"] = round(sum(c[0] for c in counts.values()) / sum(c[1] for c in counts.values()), 4)

    scores = [dnsmos.run(x, LISTEN_RATE)["ovrl_mos"] for x in heard]
    result["dnsmos"] = round(float(np.mean(scores)), 3)
    result["f0"] = pitch(heard)
    phonemes = sum(len([c for c in s["phonemes"] if c not in NOT_A_PHONEME]) for s in sentences)
    result["rate"] = round(phonemes / (sum(map(len, recordings)) / kokoro.SAMPLE_RATE), 2)
    result["seconds"] = round(sum(map(len, recordings)) / kokoro.SAMPLE_RATE, 2)
    each = np.stack([encoder.embed(x) for x in heard])
    mean = each.mean(axis=0) / np.linalg.norm(each.mean(axis=0))
    result["cohesion"] = round(float((each @ mean).mean()), 3)
    result["embedding"] = [round(float(x), 5) for x in mean]
    return result


def main():
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument("--bundle", help="voice bundle directory, or:")
    p.add_argument("--published", nargs=2, metavar=("GRAPH", "VOCAB"), help="the published model.onnx and vocab.json")
    p.add_argument("--styles", required=True, help="directory of the published style vectors, NAME.bin")
    p.add_argument("--whisper", required=True, help="directory of Whisper base in CTranslate2 format")
    p.add_argument("--work", required=True, type=Path, help="directory for recordings and results")
    p.add_argument("--language", default="en-US", choices=["en-US", "hi-IN"])
    p.add_argument("--only", nargs="*", help="measure these candidates only")
    o = p.parse_args()
    if bool(o.bundle) == bool(o.published):
        p.error("give either --bundle or --published")

    short = o.language[:2]
    sentences = read_tsv(HERE / f"sentences_{short}.tsv")
    candidates = read_tsv(HERE / f"candidates_{short}.tsv")
    acoustic = kokoro.Acoustic.from_bundle(o.bundle) if o.bundle else kokoro.Acoustic.from_published(*o.published)
    styles = kokoro.StyleVectors(o.styles)
    listener, encoder = Listener(o.whisper), speaker.SpeakerEncoder()

    o.work.mkdir(parents=True, exist_ok=True)
    results_path = o.work / f"results-{o.language}.json"
    results = json.loads(results_path.read_text("utf-8")) if results_path.exists() else {}
    model = "bundle" if o.bundle else "published"
    for candidate in candidates:
        if o.only and candidate["name"] not in o.only:
            continue
        inputs = [candidate["recipe"], model, [s["phonemes"] for s in sentences]]
        key = hashlib.sha256(json.dumps(inputs).encode()).hexdigest()[:16]
        if results.get(candidate["name"], {}).get("key") == key:
            continue
        recipe = kokoro.parse_recipe(candidate["recipe"])
        table = styles.table(recipe)
        recordings = [trim(acoustic.speak(s["phonemes"], table)) for s in sentences]
        result = measure(recordings, sentences, listener, encoder, o.language)
        wav = o.work / f"{o.language}-{candidate['name']}.wav"
        soundfile.write(wav, np.concatenate(recordings), kokoro.SAMPLE_RATE, subtype="FLOAT")
        results[candidate["name"]] = {"key": key, "sex": candidate["sex"], "model": model, "recipe": recipe, **result}
        results_path.write_text(json.dumps(results, ensure_ascii=False, indent=1), "utf-8")
        shown = {k: v for k, v in result.items() if k in ("wer", "dnsmos", "f0", "rate", "lufs", "spread", "cohesion")}
        print(candidate["name"], json.dumps(shown), f"peak {max(result['peaks'])}", flush=True)


if __name__ == "__main__":
    main()
