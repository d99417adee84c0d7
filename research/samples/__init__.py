"""What can be heard on the site: the voices, other engines beside them, and texts that are hard to read. See README.md."""
