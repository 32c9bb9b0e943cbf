"""Measurements of the statistics: what they cost, and how far they are right."""
