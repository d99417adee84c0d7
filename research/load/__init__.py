"""Measures the service `speech-http` under load, and writes a table."""
