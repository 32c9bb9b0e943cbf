"""One run step by step, and how it would have gone under other rules."""
