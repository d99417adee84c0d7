"""Trains the small networks: see README.md."""
