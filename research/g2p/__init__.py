"""Trains the pronunciation model for English words outside the lexicon. See README.md."""
