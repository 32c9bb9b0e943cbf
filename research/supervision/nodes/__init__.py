"""What the loop does, a node a file."""
