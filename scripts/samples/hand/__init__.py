"""Handwriting on samples."""
