"""The library that reports are researched in: its list, its documents, and changes to them."""
