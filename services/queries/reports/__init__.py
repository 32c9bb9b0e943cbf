"""What the pages and the API show of reports."""
