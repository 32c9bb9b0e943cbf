"""Values that somebody said of a whole batch: kept, and in force."""
