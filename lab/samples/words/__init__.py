"""Names, schools and sentences of invented people."""
