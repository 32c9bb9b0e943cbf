"""Seasons whose truth is known, drawn by a seeded simulator for demos, tests and benchmarks. All is invented."""
