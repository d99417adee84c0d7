"""The errors that a soak reports."""


class SoakError(Exception):
    """A program failed, or its resource use grows."""
