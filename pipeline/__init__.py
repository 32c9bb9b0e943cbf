"""One submission: analyse, read, extract, validate, and the orchestrator over it."""
