"""The programs that are watched."""
