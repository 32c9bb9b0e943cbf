"""The nodes of the loop, one per file."""
