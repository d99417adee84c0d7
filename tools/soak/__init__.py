"""Runs workloads for a long time, and records their memory, descriptors and threads."""
