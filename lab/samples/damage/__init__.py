"""What happens to a page between the writer and the office."""
