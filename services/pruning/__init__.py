"""Remove what is only kept for a time: rows of the log, records of model calls, checkpoints."""
