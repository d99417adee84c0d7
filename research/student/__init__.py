"""Training of the small decoder of speech: see README.md."""
