"""Supervisions of reports: start, run, decide, stop; upload documents for them and restore versions."""
