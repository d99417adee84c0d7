class UserError(Exception):
    """An error that the tool's user can fix."""
