"""The three rounds of a report: what each node does."""
