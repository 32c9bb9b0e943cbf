"""Processing of entries: analyse files, read pages, extract fields, validate, and the orchestrator."""
