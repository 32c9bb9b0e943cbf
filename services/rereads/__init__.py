"""Entries read anew to compare: nothing changes until a person takes what differs."""
