"""Mails that wait in the database: written in the transaction of their cause, sent by a job, listed for admins."""
