"""The command line: `python -m samples ...`, with PYTHONPATH set to the directories `tools` and `research`."""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from .engines import espeak_ng, ours, piper, published_graph
from .listing import QUALITIES, TEXTS, VOICES, samples
from .sound import compress


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m samples", description="Makes the audio samples of the website.")
    parser.add_argument("--speech", type=Path, required=True, help="the program, built with --release")
    parser.add_argument("--downloads", type=Path, required=True, help="directory of the files of bundle/sources.json")
    parser.add_argument("--out", type=Path, required=True, help="directory of the MP3 files and of samples.json")
    options = parser.parse_args()
    shutil.rmtree(options.out, ignore_errors=True)
    options.out.mkdir(parents=True)
    others = [published_graph(options.downloads), piper(), espeak_ng()]
    speakers = {voice: ours(options.speech, voice) for voice in VOICES}
    speakers |= {quality: ours(options.speech, "aria", quality) for quality in QUALITIES}
    speakers |= {engine.label: engine.speak for engine in others}
    listed = samples([(engine.label, engine.languages) for engine in others], readings(options.speech))
    with tempfile.TemporaryDirectory() as folder:
        wav = Path(folder) / "sample.wav"
        for number, sample in enumerate(listed, 1):
            speakers[sample.speaker](sample.text, sample.language, wav)
            compress(wav, options.out / sample.file)
            print(f"\r  {number} of {len(listed)}", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    entries = [sample.entry() for sample in listed]
    listing = json.dumps(entries, indent=1, ensure_ascii=False)
    (options.out / "samples.json").write_text(f"{listing}\n", encoding="utf-8")


def readings(speech: Path) -> list[str]:
    """The readings of the texts that display them."""
    return [reading(speech, entry["text"], entry["language"]) for entry in TEXTS["readings"]]


def reading(speech: Path, text: str, language: str) -> str:
    command = [speech, "inspect", "--lines", "--language", language]
    printed = subprocess.run(command, input=f"{text}\n", capture_output=True, encoding="utf-8", check=True).stdout
    return " ".join(sentence["normalized"] for sentence in json.loads(printed)["sentences"])


main()
