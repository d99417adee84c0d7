"""Writes the speech of a text to hello.wav."""

from libspeech import Engine

with Engine() as engine:
    engine.synthesize("Hello, world.").save("hello.wav")
