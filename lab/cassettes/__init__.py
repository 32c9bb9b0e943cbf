"""What is recorded with a model that is played: pages, reports, a supervision, fields of entries."""
