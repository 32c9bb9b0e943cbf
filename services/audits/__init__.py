"""Blind audits: an auditor types what stands on the page, then sees what the machine had and says who is right."""
