"""Makes the libspeech voice bundle from the published Kokoro-82M graph, or from another export of the same model."""
