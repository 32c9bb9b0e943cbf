"""Supervisions: begun, run, decided on, stopped; documents taken in for them, versions restored."""
