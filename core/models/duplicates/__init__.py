"""Entries that may be one, and what they are found by."""
