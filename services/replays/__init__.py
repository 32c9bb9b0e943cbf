"""One run step by step, and what it would have been by other rules."""
