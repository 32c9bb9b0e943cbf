"""Providers of sources, one file each."""
