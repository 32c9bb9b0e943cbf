"""Codes of what use cases tell people: what they refused, and who was faster."""
