"""The page of one run, and its replay by other rules."""
