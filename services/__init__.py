"""Use cases, one action per file; called by web, commands and jobs."""
