"""Accounts: sign-in, roles, invitations, password resets and API tokens."""
