"""Readers: what sources say about a question, by rule or by a model."""
