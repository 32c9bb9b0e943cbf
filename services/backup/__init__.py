"""Backups: the database and the files in one folder, and their return into an empty installation."""
