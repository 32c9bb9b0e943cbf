"""The school register of a season."""
