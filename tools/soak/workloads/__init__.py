"""The watched programs."""
