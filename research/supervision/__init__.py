"""The loop that deepens a document, one gap at a time."""
