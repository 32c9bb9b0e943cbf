"""Jobs that RQ workers run."""
