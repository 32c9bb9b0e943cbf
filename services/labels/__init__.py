"""Entries whose values a person has settled or audited, as files with labels for the regression script."""
