"""Tables of what an office does with many entries at once."""
