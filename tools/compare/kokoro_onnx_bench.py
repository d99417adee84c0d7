"""One kokoro-onnx process: load, speak each text some times, one JSON object on standard output.

Run by compare.py. On standard input: {"model", "voices", "voice", "threads", "runs", "texts": [{"name", "text"},
...]}. As in `speech bench`, each text is spoken once before it is timed, and the median run counts.
"""

import asyncio
import importlib.metadata
import json
import statistics
import sys
import time

import onnxruntime
from kokoro_onnx import Kokoro

ONE_BATCH = 300  # texts this short are one batch: the first audio is the whole audio


def load(job):
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = job["threads"]
    options.inter_op_num_threads = 1
    session = onnxruntime.InferenceSession(job["model"], options, providers=["CPUExecutionProvider"])
    return Kokoro.from_session(session, job["voices"])


async def first_chunk(kokoro, text, voice):
    stream = kokoro.create_stream(text, voice=voice)
    async for _ in stream:
        break
    elapsed = time.perf_counter()
    await stream.aclose()
    return elapsed


def main():
    job = json.load(sys.stdin)
    voice = job["voice"]
    start = time.perf_counter()
    kokoro = load(job)
    load_ms = (time.perf_counter() - start) * 1000

    rows = []
    for entry in job["texts"]:
        text, walls = entry["text"], []
        for run in range(1 + job["runs"]):
            start = time.perf_counter()
            samples, rate = kokoro.create(text, voice=voice)
            elapsed = time.perf_counter() - start
            if run > 0:
                walls.append(elapsed)
        wall = first = statistics.median(walls)
        if len(text) > ONE_BATCH:
            start = time.perf_counter()
            first = asyncio.run(first_chunk(kokoro, text, voice)) - start
        audio = len(samples) / rate
        row = {"name": entry["name"], "audio_s": audio, "wall_s": wall, "rtf": wall / audio}
        rows.append({**row, "first_audio_ms": first * 1000})
    versions = {name: importlib.metadata.version(name) for name in ("kokoro-onnx", "onnxruntime")}
    json.dump({"versions": versions, "load_ms": load_ms, "texts": rows}, sys.stdout)


if __name__ == "__main__":
    main()
