"""Pages of the supervision of a report, its revisions and the report's versions."""
