"""Repeated readings of single fields and lines that the first reading left missing or weak."""
