"""Blank forms: propose the marks of a profile, which people correct."""
