"""References, quotations and what they prove."""
