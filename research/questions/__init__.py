"""Parse the wording of a request in English or Spanish: its words, counts and what it asks to list."""
