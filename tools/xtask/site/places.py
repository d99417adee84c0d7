"""Fills the places of the site's pages: lines such as `<!-- plot: speed -->`.

Usage: places.py PAGES REPOSITORY SPEECH [--demo FOLDER] [--samples FOLDER]
"""

import argparse
import json
import os
import re
import subprocess
from itertools import groupby
from pathlib import Path

from c_reference import page as c_reference


def escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;")


def plot(title: str, rows: list[dict[str, str]]) -> str:
    """A table with bars, which is accessible and works in any width and color scheme."""
    numbers = [float(row["value"].replace(",", "")) for row in rows]
    text = f'<table class="bars">\n<caption>{title}</caption>\n'
    for row, number in zip(rows, numbers, strict=True):
        ours = ' class="ours"' if row.get("ours") else ""
        bar = f'<span class="bar" style="width: {number / max(numbers) * 100:.1f}%"></span>'
        head = f'<tr{ours}><th scope="row">{row["label"]}</th>'
        text += f"{head}<td>{bar}</td><td>{row['value']}</td></tr>\n"
    return text + "</table>\n"


def samples(recordings: list[dict[str, str]]) -> str:
    """The recordings as HTML, with those of one text side by side under the text."""
    text = '<div class="samples">\n'
    for written, group in groupby(recordings, lambda sample: sample["text"]):
        same, written = list(group), escaped(written)
        language = same[0]["language"]
        text += f'<section>\n<p class="written" lang="{language}">{written}</p>\n'
        if reading := same[0].get("reading"):
            reading = f'<span lang="{language}">{escaped(reading)}</span>'
            text += f'<p class="read"><span>read as</span> {reading}</p>\n'
        text += "<ul>\n"
        for sample in same:
            label = escaped(sample["label"])
            audio = f'controls preload="metadata" aria-label="{label}: {written}"'
            audio = f'<audio {audio} src="samples/{sample["file"]}"></audio>'
            text += f"<li><span>{label}</span>{audio}</li>\n"
        text += "</ul>\n</section>\n"
    return text + "</div>\n"


def help_of(speech: str, *command: str) -> str:
    run = [speech, *command, "--help"]
    environment = os.environ | {"COLUMNS": "100"}
    return subprocess.run(run, env=environment, stdout=subprocess.PIPE, text=True, check=True).stdout.rstrip()


def command_line(speech: str) -> str:
    """The help of the program, and that of each command that it lists."""
    whole = help_of(speech)
    listed = whole.split("\nCommands:\n")[1].split("\n\n")[0]
    commands = [name for name in re.findall(r"^  (\S+)", listed, flags=re.MULTILINE) if name != "help"]
    helps = [("speech", whole)] + [(f"speech {name}", help_of(speech, name)) for name in commands]
    return "".join(f"\n## {name}\n\n```text\n{text}\n```\n" for name, text in helps)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("pages", type=Path)
    parser.add_argument("repository", type=Path)
    parser.add_argument("speech")
    parser.add_argument("--demo", help="the folder of the page to try")
    parser.add_argument("--samples", type=Path, help="the folder of the recordings")
    given = parser.parse_args()

    include = given.repository / "include"
    cpp = (include / "speech.hpp").read_text(encoding="utf-8").rstrip()
    made = {
        "c": c_reference((include / "speech.h").read_text(encoding="utf-8")),
        "cpp": f"```cpp\n{cpp}\n```\n",
        "command-line": command_line(given.speech),
    }
    listing = given.pages / "figures.json"
    plots = json.loads(listing.read_text(encoding="utf-8"))
    listing.unlink()
    groups: dict[str, list[dict[str, str]]] = {}
    if given.samples:
        for sample in json.loads((given.samples / "samples.json").read_text(encoding="utf-8")):
            groups.setdefault(sample["group"], []).append(sample)

    for path in given.pages.rglob("*.md"):
        up = "../" * (len(path.relative_to(given.pages).parts) - 1)

        def fill(place: re.Match[str], up: str = up) -> str:
            kind, name = place.groups()
            if kind == "made":
                return made[name]
            if kind == "plot":
                return plot(**plots[name])
            if kind == "samples":
                if not given.samples:
                    return "*This copy of the site was made without samples.*\n"
                return samples(groups[name])
            link = f'<p class="try"><a href="{up}{given.demo}/index.html">{name}</a></p>\n'
            return link if given.demo else ""

        text = path.read_text(encoding="utf-8")
        text = re.sub(r"^<!-- (made|plot|samples|demo): (.*) -->\n", fill, text, flags=re.MULTILINE)
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
