"""Providers on the network, one per file, with their client, cache and limits."""
