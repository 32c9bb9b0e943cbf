"""Benchmarks: what is promised, measured beside its peers in one run on one machine."""
