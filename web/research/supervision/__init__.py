"""The supervision loop over a report: its page, its revisions and the versions of the report."""
