"""Chooses the recipes of the voices by measurement, and measures what was chosen. See README.md."""
