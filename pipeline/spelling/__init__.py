"""Spells what a recogniser was unsure of: its letters weighed against the names and words that people write."""
