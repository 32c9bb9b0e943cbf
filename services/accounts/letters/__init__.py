"""Mails about accounts: invitations, links for new passwords. They are sent at once, and never stored (ADR 37)."""
