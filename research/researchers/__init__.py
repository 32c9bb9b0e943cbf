"""Researchers: a graph per kind that takes a question and returns findings from sources."""
