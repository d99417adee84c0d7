"""Trains the reader of English words that no lexicon knows. See README.md."""
