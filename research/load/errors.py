"""What can go wrong in a way that the user can do something about."""


class LoadError(Exception):
    """The service did not start, or did not answer as it must."""
