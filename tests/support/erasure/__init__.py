"""Looking for what should be gone."""
