"""What is still to be found out after a round."""
