"""Supervision: a loop that finds one gap at a time, researches it and integrates the result under a guard."""
