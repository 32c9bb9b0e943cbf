"""Jobs that RQ workers run, one per file."""
