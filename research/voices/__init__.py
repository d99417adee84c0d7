"""Chooses the recipes of the voices by measurement, and measures the result. See README.md."""
