"""Models of what the API answers."""
