"""Writes seeds for fuzzing from the test data of this repository. Usage: seeds.py REPOSITORY FOLDER"""

import json
import sys
from pathlib import Path

REPOSITORY, OUT = map(Path, sys.argv[1:])
DATA, EXAMPLES = "core/text/tests/data", "core/text/src/markup/ssml/examples"
KEYS = [
    "# who is charged, and the hash of the key\n"
    "one 0f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c4b5a69788796a5b4c3d2e1f0\n"
    "two@example.com 00112233445566778899AABBCCDDEEFF00112233445566778899aabbccddeeff # new\n",
    "one 0f1e\r\n\r\n#",
]


def read(path: str) -> str:
    return (REPOSITORY / path).read_text(encoding="utf-8")


def write(target: str, name: str, inputs: list[str], least: int) -> None:
    if len(inputs) < least:
        sys.exit(f"{name} has {len(inputs)} seeds for {target}")
    folder = OUT / target
    folder.mkdir(parents=True, exist_ok=True)
    for number, text in enumerate(inputs):
        (folder / f"{name}-{number}").write_bytes(text.encode())


def sentences(table: str) -> list[str]:
    """The text of each row: the first cell that is a JSON string."""
    cells = ([cell for cell in row.split("\t") if cell.startswith('"')] for row in table.split("\n"))
    return [json.loads(row[0]) for row in cells if row]


def documents(examples: str) -> list[str]:
    """The documents in a file of examples, without comments."""
    blocks = (block.split("\n") for block in examples.rstrip("\n").split("\n\n"))
    texts = ("\n".join(line for line in block if line[:1] not in ("#", "=", "!")) for block in blocks)
    return [text for text in texts if text.strip("\n")]


for language, tables in ("english", ["en", "own"]), ("hindi", ["hi", "own_hi"]):
    for name in (f"sentences_{table}.tsv" for table in tables):
        texts = sentences(read(f"{DATA}/{name}"))
        write(language, name, texts, 5)
        write("segmenter", name, texts, 5)
for name in "w3c.txt", "azure.txt", "google.txt", "polly.txt":
    write("ssml", name, documents(read(f"{EXAMPLES}/{name}")), 10)
cases = json.loads(read("tests/data/cases.json"))
bodies = [case["json"] for kind in ("requests", "streams") for case in cases[kind] if "json" in case]
write("json", "cases", [body for body in bodies if isinstance(body, str)], 30)
messages = [line for line in read("docs/live-service.md").split("\n") if line.startswith("{")]
write("live", "page", messages, 4)
write("keys", "keys", KEYS, 2)
