"""Accounts whose passwords Supabase Auth keeps: sign-in, links, and what Auth is told of them."""
