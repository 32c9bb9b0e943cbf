"""What changed between two texts, for people to see."""
