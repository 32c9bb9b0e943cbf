"""The benchmark of reading: time, memory, and how much of unseen entries is right."""
