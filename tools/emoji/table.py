"""Writes `emoji.tsv` for English and for Hindi: short names of emoji, from CLDR's annotations."""

import argparse
import json
import re
import tarfile
import unicodedata
from pathlib import Path

LANGUAGES = Path(__file__).parents[2] / "core" / "text" / "src" / "languages"
FOLDERS = {"en": "en_us", "hi": "hi_in"}

# Emoji of the Basic Multilingual Plane, without those that text uses as plain symbols: © ® ™ ‼ ⁉ ℹ ✖, small squares and
# simple arrows.
BASIC_PLANE = """
231A-231B 2328 23CF 23E9-23F3 23F8-23FA 24C2 25B6 25C0 2600-2604 260E 2611 2614-2615 2618 261D 2620 2622-2623
2626 262A 262E-262F 2638-263A 2640 2642 2648-2653 265F-2660 2663 2665-2666 2668 267B 267E-267F 2692-2697 2699
269B-269C 26A0-26A1 26A7 26AA-26AB 26B0-26B1 26BD-26BE 26C4-26C5 26C8 26CE-26CF 26D1 26D3-26D4 26E9-26EA
26F0-26F5 26F7-26FA 26FD 2702 2705 2708-270D 270F 2712 2714 271D 2721 2728 2733-2734 2744 2747 274C 274E
2753-2755 2757 2763-2764 2795-2797 27A1 27B0 27BF 2934-2935 2B05-2B07 2B1B-2B1C 2B50 2B55 3030 303D 3297 3299
"""
FIRST_BEYOND = 0x1F000
KEYCAP = "\u20e3"
PRESENTATION = "\ufe0f"
SKIN_TONES = {chr(c) for c in range(0x1F3FB, 0x1F400)}

NUMBERS = {
    "0": "zero", "1": "one", "2": "two", "3": "three", "4": "four", "5": "five", "6": "six", "7": "seven",
    "8": "eight", "9": "nine", "10": "ten", "18": "eighteen", "100": "hundred", "1st": "first", "2nd": "second",
    "3rd": "third",
}  # fmt: skip
# CLDR's "keycap: *" and the like.
SYMBOLS = {"*": "asterisk", "#": "number sign", "&": "and", "ON!": "on", "UP!": "up"}


def basic_plane() -> set[str]:
    """The characters of BASIC_PLANE."""
    characters = set()
    for part in BASIC_PLANE.split():
        first, _, last = part.partition("-")
        characters |= {chr(c) for c in range(int(first, 16), int(last or first, 16) + 1)}
    return characters


# Parts of Hindi names other than words.
HINDI_PARTS = {
    "0": "शून्य", "1": "एक", "2": "दो", "3": "तीन", "4": "चार", "5": "पाँच", "6": "छह", "7": "सात", "8": "आठ",
    "9": "नौ", "10": "दस", "11": "ग्यारह", "12": "बारह", "18": "अठारह", "100": "सौ", "#": "नंबर", "*": "स्टार",
    "A": "ए", "AB": "ए बी", "ATM": "ए टी एम", "B": "बी", "END": "एंड", "M": "एम", "O": "ओ", "SOON": "सून",
    "SOS": "एस ओ एस", "TOP": "टॉप", "on": "ऑन", "क्लाॅॅॅॅज़": "क्लॉज़", "यू॰एस॰": "यू एस",
}  # fmt: skip
CLOCK_FACES = {chr(c) for c in range(0x1F550, 0x1F568)}
FLAG = "झंडा: "


def annotations(package: Path, language: str) -> dict[str, str]:
    """Maps character sequences to their short names, from a CLDR npm package."""
    with tarfile.open(package) as archive:
        [member] = [m for m in archive.getnames() if m.endswith(f"/{language}/annotations.json")]
        root = json.load(archive.extractfile(member))
    [body] = root.values()
    return {
        characters: entry["tts"][0]
        for characters, entry in body["annotations"].items()
        if "tts" in entry
    }


def spoken_english(name: str) -> str:
    """A short name as plain words: unaccented letters, apostrophes and hyphens."""
    words = []
    for word in name.replace("’", "'").replace(".", "").split():
        word = SYMBOLS.get(word, word).strip("“”(),!:")
        words.append(NUMBERS.get(word, word))
    folded = unicodedata.normalize("NFKD", " ".join(words))
    line = "".join(c for c in folded if not unicodedata.combining(c))
    line = line.replace(" & ", " and ")
    if not re.fullmatch(r"[A-Za-z'\- ]+", line):
        raise SystemExit(f"not plain words: {name!r} became {line!r}")
    return line


def spoken_hindi(name: str) -> str:
    """A short name as plain words in Devanagari, without the keywords after the comma in many names."""
    name = re.sub(r" *\([^)]*\)", "", name.replace("\u200d", ""))
    if ": " not in name:
        name = name.split(", ")[0]
    if name.startswith(FLAG):
        name = name.removeprefix(FLAG) + " का झंडा"
    words = re.split(r"[ –-]+", re.sub("/[^ ]+", "", name))
    words = [word.strip("“”,!:") for word in words]
    line = " ".join(HINDI_PARTS.get(word, word) for word in words if word)
    if not re.fullmatch(r"[\u0900-\u0963 ]+", line):
        raise SystemExit(f"not plain words: {name!r} became {line!r}")
    return unicodedata.normalize("NFC", line)


SPOKEN = {"en": spoken_english, "hi": spoken_hindi}


def is_named(characters: str, basic: set[str]) -> bool:
    """Whether a sequence belongs in the table."""
    first = characters[0]
    is_emoji = ord(first) >= FIRST_BEYOND or first in basic or KEYCAP in characters
    return is_emoji and not SKIN_TONES & set(characters)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("packages", type=Path, nargs="+", help="the npm packages, as .tgz files")
    packages = parser.parse_args().packages
    basic = basic_plane()
    for language, spoken in SPOKEN.items():
        names = {}
        for package in packages:
            for characters, name in annotations(package, language).items():
                if is_named(characters, basic):
                    said = spoken(name)
                    if language == "hi" and characters in CLOCK_FACES and not said.endswith("बजे"):
                        said += " बजे"
                    names[characters.replace(PRESENTATION, "")] = said
        rows = sorted(names.items())
        output = LANGUAGES / FOLDERS[language] / "data" / "emoji.tsv"
        output.write_text("".join(f"{characters}\t{name}\n" for characters, name in rows))
        print(f"{output.name}: {language}, {len(rows)} names, {output.stat().st_size} bytes")


if __name__ == "__main__":
    main()
