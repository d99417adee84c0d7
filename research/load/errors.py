"""Errors that the user can act on."""


class LoadError(Exception):
    """The service did not start, or answered wrongly."""
