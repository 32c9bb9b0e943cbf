"""Flask commands, one group a file."""
