"""The tool's error."""


class BundleError(Exception):
    """The bundle cannot be made; the message names the input at fault and the reason."""
