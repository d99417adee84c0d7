"""Errors that the user can act on."""


class CompareError(Exception):
    """The comparison cannot be made, or its measurements would be wrong."""


class NotHere(Exception):
    """This processor, or this build of the program, does not support a configuration. The message gives the reason."""
