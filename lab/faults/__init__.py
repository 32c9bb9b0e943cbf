"""Faults inflicted on real installations under a stream of entries, and the accounting afterwards."""
