"""Mails that wait in the database: written with what they tell of, sent by a job, listed for admins."""
