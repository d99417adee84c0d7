class UserError(Exception):
    """Something the person who runs the tool can put right."""
