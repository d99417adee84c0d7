"""What can go wrong in a way that the user can do something about."""


class CompareError(Exception):
    """The comparison cannot be made, or what was measured would be wrong."""


class NotHere(Exception):
    """This processor, or this build of the program, cannot do a configuration. The message says why."""
