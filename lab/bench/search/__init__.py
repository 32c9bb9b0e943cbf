"""Searching among a million entries."""
