"""Jobs of what is done with many entries at once."""
