"""Benchmark of supervisions: gaps found and closed, over reports and libraries written for it."""
