"""How a request is worded: its words, its numbers, what it asks to be listed (English and Spanish)."""
