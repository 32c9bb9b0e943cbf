"""Use cases, one verb a file; called by web, commands and jobs."""
