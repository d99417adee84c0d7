"""The one error this tool raises on purpose."""


class BundleError(Exception):
    """The bundle cannot be made; the message says which input is at fault and why."""
