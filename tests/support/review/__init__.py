"""Review desks for tests."""
