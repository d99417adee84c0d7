"""The audio samples of the site: the voices, other engines for comparison, and texts that are hard to read. See
README.md."""
