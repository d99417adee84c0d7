"""Measures libspeech against other engines on the same texts, and writes a table and a plot."""
