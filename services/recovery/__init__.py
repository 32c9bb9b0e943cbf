"""Work that survives a crash: which rows are due, how they are queued, and the leases that workers take."""
