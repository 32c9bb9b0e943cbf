"""Loopback servers that speak the wire formats of outside services."""
