"""The rules of a season: what they are, how they are changed and taken back, and what a change would do."""
