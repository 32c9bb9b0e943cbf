"""Researchers: a graph for each kind, which takes a question and brings back what sources say to it."""
