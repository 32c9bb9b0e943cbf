"""The items of a catalog: names that denote the same item, and their merging."""
