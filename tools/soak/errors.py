"""What can go wrong, for a person to read."""


class SoakError(Exception):
    """A program that failed, or that holds more and more."""
