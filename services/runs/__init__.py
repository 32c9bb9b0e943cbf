"""Runs of the orchestrator over an entry: started, resumed, settled, failed."""
