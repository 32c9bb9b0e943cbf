"""What RQ workers run, one job a file."""
