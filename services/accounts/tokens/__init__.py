"""Tokens for the JSON API: scopes, one's own tokens, and all of them for admins."""
