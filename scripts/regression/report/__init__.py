"""The report of a regression run, as text and as HTML."""
