"""Hostile and broken files, and a run that reads them all as the workers do; see `scripts/fuzz_files.py`."""
