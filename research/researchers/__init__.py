"""Researchers, one subgraph for each kind."""
