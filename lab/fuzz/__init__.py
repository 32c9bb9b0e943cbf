"""Hostile and broken files, and a run that reads them all as the workers do; see `lab/fuzz_files.py`."""
