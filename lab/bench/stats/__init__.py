"""Measurements of the supervisor's statistics: pages, counts and logging at many rows of the log and at few."""
