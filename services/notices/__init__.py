"""Notices by mail: who wants to hear of what, and what is written when a batch becomes quiet."""
