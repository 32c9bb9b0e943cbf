"""Research a gap, and work what was found into the document."""
