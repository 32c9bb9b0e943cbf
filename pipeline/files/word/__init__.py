"""What a Word file displays, taken out of its package (ECMA-376)."""
