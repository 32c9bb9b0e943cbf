"""Pages of the seasons and of their rules."""
