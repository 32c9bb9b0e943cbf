"""Readers find what sources say about a question: passages, or the findings of a model."""
