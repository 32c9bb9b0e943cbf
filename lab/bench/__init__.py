"""Benchmarks: the promised figures, measured together with those of peers in one run on one machine."""
