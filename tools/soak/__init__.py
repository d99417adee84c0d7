"""Programs that speak for as long as one likes, and what they hold meanwhile: memory, descriptors, threads."""
