"""Reports, sources and supervisions for tests."""
