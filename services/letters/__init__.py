"""Letters that ask schools and parents for what is missing: planned, sent or printed, answered, given up."""
