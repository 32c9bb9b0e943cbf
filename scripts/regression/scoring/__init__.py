"""Comparison of readings with labels, and the figures made of it."""
