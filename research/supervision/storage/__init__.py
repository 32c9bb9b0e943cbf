"""Rows of a loop: its tasks, sources, model calls, revisions and versions."""
