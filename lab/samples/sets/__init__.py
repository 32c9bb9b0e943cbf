"""Sets of files that are drawn for a measurement of their own."""
