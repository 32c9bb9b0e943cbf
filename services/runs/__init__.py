"""Runs of the orchestrator over an entry: start, resume, settle and fail them."""
