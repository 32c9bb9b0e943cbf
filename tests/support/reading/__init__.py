"""Documents, pages and recognisers for tests of reading."""
