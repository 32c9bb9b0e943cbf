"""Seasons as admins see them: list, open, close, and the season that follows another."""
