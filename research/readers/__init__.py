"""Readers: what sources say about a question: their passages, or what a model reads in them."""
