"""What of an essay's names is left when it enters the library."""
