"""Draws openings of typed essays, each piece of text with its role, to train the labeller of headers."""
