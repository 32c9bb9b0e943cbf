"""Blank forms: what a profile of one could be, as marks that people correct."""
