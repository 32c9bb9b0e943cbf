"""What pages show of the library."""
