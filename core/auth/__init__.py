"""Supabase Auth: sign-in, accounts, and the check of the tokens that it gives."""
