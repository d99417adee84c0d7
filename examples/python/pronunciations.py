"""Pronounces words as you define them: for an engine, and at one place of a text."""

from __future__ import annotations

import argparse

from libspeech import Engine, InvalidRequestError

PRONUNCIATIONS = {
    "Siobhan": "/ʃɪˈvɔːn/",  # IPA, between slashes
    "kubectl": "cube control",  # or other words to read instead
}

TEXT = "Siobhan's friend [Nguyen](/wɪn/) runs kubectl."


def main() -> None:
    """Run the program."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--output", default="names.wav")
    options = parser.parse_args()
    with Engine(pronunciations=PRONUNCIATIONS) as engine:
        audio = engine.synthesize(TEXT)
    audio.save(options.output)
    for word in audio.words:
        print(f"{word.start:5.2f} s  {TEXT[word.span]}")
    try:
        Engine(pronunciations={"Siobhan": "/☃/"})
    except InvalidRequestError as error:
        print(error)  # the message has the invalid symbol


if __name__ == "__main__":
    main()
