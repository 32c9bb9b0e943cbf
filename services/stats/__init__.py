"""Figures about the supervisor for admins."""
