"""The loop that deepens a document: one gap at a time, each revision guarded, every end told truly."""
