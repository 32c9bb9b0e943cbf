"""Extract what a Word file displays from its package (ECMA-376)."""
