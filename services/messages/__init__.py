"""Message codes of use cases: refused requests, conflicts and events."""
